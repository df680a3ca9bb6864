package dev.mainstay.core.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A queue's settings, which users change. {@code bisectionConcurrency} is as {@code concurrency}
 * where it is not set; {@code requiredStatuses} is what the forge requires where it is not set, and
 * nothing at all where it is set to an empty list. {@code batchingMinSize} is the size a batch
 * grows to. Where {@code keepHeadBranches}, no landing moves the branch of a head, also where a
 * forge would show it as merged only then. {@code hermeticTests} says that what touches other
 * targets does not sway a test; {@code speculationBudget} is how many runs beside its own each pull
 * request may cost; {@code flakeRetries}, how often a group is tested again where it failed only in
 * tests that are known to be flaky. Comments, commands and labels are read and written at the host,
 * beside the rules; {@code extensionEnabled} is kept and answered.
 */
public record QueueSettings(
    Mode mode,
    int concurrency,
    Optional<Integer> bisectionConcurrency,
    int testingTimeoutMinutes,
    int pendingFailureDepth,
    boolean canOptimisticallyMerge,
    boolean batch,
    int batchingMinSize,
    int batchingMaxWaitTimeMinutes,
    MergeMethod mergeMethod,
    DirectMergeMode directMergeMode,
    OptimizationMode optimizationMode,
    Optional<List<String>> requiredStatuses,
    boolean commentsEnabled,
    boolean commandsEnabled,
    boolean statusCheckEnabled,
    boolean createPrsForTestingBranches,
    boolean keepHeadBranches,
    Optional<String> enqueueingLabel,
    boolean labelCommandsEnabled,
    boolean stateLabelsEnabled,
    boolean extensionEnabled,
    List<String> commandPrefixes,
    List<SentValue> sentValues,
    boolean hermeticTests,
    int speculationBudget,
    int flakeRetries,
    Sizing batchSizing,
    Sizing timeoutSizing) {
  /** The words that a command may begin with; without a choice it is the first. */
  public static final List<String> PREFIXES = List.of("/mainstay", "/trunk");

  /**
   * In single mode changes stand on all ahead of them, in parallel mode only on those whose targets
   * meet theirs.
   */
  public enum Mode {
    SINGLE,
    PARALLEL
  }

  /** The way in which a pull request becomes commits of the target branch. */
  public enum MergeMethod {
    SQUASH,
    MERGE_COMMIT,
    REBASE
  }

  /** A pull request that is up to date and has passed may merge without a test run, or may not. */
  public enum DirectMergeMode {
    OFF,
    ALWAYS
  }

  /** The test runs that may be saved. */
  public enum OptimizationMode {
    OFF,
    BISECTION_SKIP_REDUNDANT_TESTS
  }

  /** A number is the one that was set, or one that the queue finds by itself. */
  public enum Sizing {
    FIXED,
    AUTO
  }

  /** One setting out of its range. */
  public record Fault(String setting, String sentence) {}

  /** Some settings are out of range: all of them are named. */
  public static final class InvalidSettings extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private final transient List<Fault> faults;

    InvalidSettings(List<Fault> faults) {
      super(faults.stream().map(Fault::sentence).toList().toString());
      this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
      return faults;
    }
  }

  public QueueSettings {
    requiredStatuses = requiredStatuses.map(List::copyOf);
    commandPrefixes = List.copyOf(commandPrefixes);
    sentValues = List.copyOf(sentValues);
    var faults = new ArrayList<Fault>();
    check(faults, NumberSetting.CONCURRENCY, concurrency);
    bisectionConcurrency.ifPresent(n -> check(faults, NumberSetting.BISECTION_CONCURRENCY, n));
    check(faults, NumberSetting.TESTING_TIMEOUT_MINUTES, testingTimeoutMinutes);
    check(faults, NumberSetting.PENDING_FAILURE_DEPTH, pendingFailureDepth);
    check(faults, NumberSetting.BATCHING_MIN_SIZE, batchingMinSize);
    check(faults, NumberSetting.BATCHING_MAX_WAIT_TIME_MINUTES, batchingMaxWaitTimeMinutes);
    check(faults, NumberSetting.SPECULATION_BUDGET, speculationBudget);
    check(faults, NumberSetting.FLAKE_RETRIES, flakeRetries);
    if (!faults.isEmpty()) {
      throw new InvalidSettings(faults);
    }
  }

  private static void check(List<Fault> faults, NumberSetting setting, int value) {
    if (!setting.allows(value)) {
      faults.add(
          new Fault(
              setting.field(),
              "%s lies between %d and %d, not %d"
                  .formatted(setting.field(), setting.least(), setting.most(), value)));
    }
  }

  /** The settings a queue starts with. */
  public static QueueSettings defaults() {
    return new Builder().build();
  }

  /** The number of bisection runs that may be in progress at once. */
  public int bisectionSlots() {
    return bisectionConcurrency.orElse(concurrency);
  }

  /** The words that a command begins with. */
  public List<String> prefixes() {
    return commandPrefixes.isEmpty() ? PREFIXES.subList(0, 1) : commandPrefixes;
  }

  /** The number of pull requests a group grows to, where that is fixed. */
  public int groupSize() {
    return batch ? batchingMinSize : 1;
  }

  public boolean isParallel() {
    return mode == Mode.PARALLEL;
  }

  /**
   * A test branch holds what its changes meet, and not what that stands on in turn. A run that is
   * to prove all it stands on holds all of it.
   */
  public boolean takesOnlyWhatItMeets() {
    return isParallel() && hermeticTests && !canOptimisticallyMerge;
  }

  /**
   * Runs may assume otherwise than that all ahead merge: without a budget, that one which failed
   * leaves. With optimistic merging a run is to prove all it stands on, and where one that failed
   * waits for those behind it, they are to be tested with it.
   */
  public boolean speculates() {
    return !canOptimisticallyMerge && (speculationBudget > 0 || pendingFailureDepth == 0);
  }

  public boolean skipsRedundantTests() {
    return optimizationMode == OptimizationMode.BISECTION_SKIP_REDUNDANT_TESTS;
  }

  /** These settings, to be changed one by one. */
  public Builder edit() {
    var b = new Builder();
    b.mode = mode;
    b.concurrency = concurrency;
    b.bisectionConcurrency = bisectionConcurrency;
    b.testingTimeoutMinutes = testingTimeoutMinutes;
    b.pendingFailureDepth = pendingFailureDepth;
    b.canOptimisticallyMerge = canOptimisticallyMerge;
    b.batch = batch;
    b.batchingMinSize = batchingMinSize;
    b.batchingMaxWaitTimeMinutes = batchingMaxWaitTimeMinutes;
    b.mergeMethod = mergeMethod;
    b.directMergeMode = directMergeMode;
    b.optimizationMode = optimizationMode;
    b.requiredStatuses = requiredStatuses;
    b.commentsEnabled = commentsEnabled;
    b.commandsEnabled = commandsEnabled;
    b.statusCheckEnabled = statusCheckEnabled;
    b.createPrsForTestingBranches = createPrsForTestingBranches;
    b.keepHeadBranches = keepHeadBranches;
    b.enqueueingLabel = enqueueingLabel;
    b.labelCommandsEnabled = labelCommandsEnabled;
    b.stateLabelsEnabled = stateLabelsEnabled;
    b.extensionEnabled = extensionEnabled;
    b.commandPrefixes = commandPrefixes;
    b.sentValues = sentValues;
    b.hermeticTests = hermeticTests;
    b.speculationBudget = speculationBudget;
    b.flakeRetries = flakeRetries;
    b.batchSizing = batchSizing;
    b.timeoutSizing = timeoutSizing;
    return b;
  }

  /** Settings in the making; they begin as the defaults and are checked when built. */
  public static final class Builder {
    private Mode mode = Mode.SINGLE;
    private int concurrency = 5;
    private Optional<Integer> bisectionConcurrency = Optional.empty();
    private int testingTimeoutMinutes = 300;
    private int pendingFailureDepth = 0;
    private boolean canOptimisticallyMerge = false;
    private boolean batch = false;
    private int batchingMinSize = 4;
    private int batchingMaxWaitTimeMinutes = 5;
    private MergeMethod mergeMethod = MergeMethod.SQUASH;
    private DirectMergeMode directMergeMode = DirectMergeMode.OFF;
    private OptimizationMode optimizationMode = OptimizationMode.OFF;
    private Optional<List<String>> requiredStatuses = Optional.empty();
    private boolean commentsEnabled = true;
    private boolean commandsEnabled = true;
    private boolean statusCheckEnabled = true;
    private boolean createPrsForTestingBranches = false;
    private boolean keepHeadBranches = false;
    private Optional<String> enqueueingLabel = Optional.empty();
    private boolean labelCommandsEnabled = false;
    private boolean stateLabelsEnabled = false;
    private boolean extensionEnabled = false;
    private List<String> commandPrefixes = List.of();
    private List<SentValue> sentValues = List.of();
    private boolean hermeticTests = true;
    private int speculationBudget = 0;
    private int flakeRetries = 1;
    private Sizing batchSizing = Sizing.FIXED;
    private Sizing timeoutSizing = Sizing.FIXED;

    private Builder() {}

    public Builder mode(Mode value) {
      mode = value;
      return this;
    }

    public Builder concurrency(int value) {
      concurrency = value;
      return this;
    }

    public Builder bisectionConcurrency(Optional<Integer> value) {
      bisectionConcurrency = value;
      return this;
    }

    public Builder testingTimeoutMinutes(int value) {
      testingTimeoutMinutes = value;
      return this;
    }

    public Builder pendingFailureDepth(int value) {
      pendingFailureDepth = value;
      return this;
    }

    public Builder canOptimisticallyMerge(boolean value) {
      canOptimisticallyMerge = value;
      return this;
    }

    public Builder batch(boolean value) {
      batch = value;
      return this;
    }

    public Builder batchingMinSize(int value) {
      batchingMinSize = value;
      return this;
    }

    public Builder batchingMaxWaitTimeMinutes(int value) {
      batchingMaxWaitTimeMinutes = value;
      return this;
    }

    public Builder mergeMethod(MergeMethod value) {
      mergeMethod = value;
      return this;
    }

    public Builder directMergeMode(DirectMergeMode value) {
      directMergeMode = value;
      return this;
    }

    public Builder optimizationMode(OptimizationMode value) {
      optimizationMode = value;
      return this;
    }

    public Builder requiredStatuses(Optional<List<String>> value) {
      requiredStatuses = value;
      return this;
    }

    public Builder commentsEnabled(boolean value) {
      commentsEnabled = value;
      return this;
    }

    public Builder commandsEnabled(boolean value) {
      commandsEnabled = value;
      return this;
    }

    public Builder statusCheckEnabled(boolean value) {
      statusCheckEnabled = value;
      return this;
    }

    public Builder createPrsForTestingBranches(boolean value) {
      createPrsForTestingBranches = value;
      return this;
    }

    public Builder keepHeadBranches(boolean value) {
      keepHeadBranches = value;
      return this;
    }

    public Builder enqueueingLabel(Optional<String> value) {
      enqueueingLabel = value;
      return this;
    }

    public Builder labelCommandsEnabled(boolean value) {
      labelCommandsEnabled = value;
      return this;
    }

    public Builder stateLabelsEnabled(boolean value) {
      stateLabelsEnabled = value;
      return this;
    }

    public Builder extensionEnabled(boolean value) {
      extensionEnabled = value;
      return this;
    }

    /** Stored only where they are not the usual ones. */
    public Builder commandPrefixes(List<String> value) {
      commandPrefixes = value.equals(PREFIXES.subList(0, 1)) ? List.of() : value;
      return this;
    }

    public Builder sentValues(List<SentValue> value) {
      sentValues = value;
      return this;
    }

    public Builder hermeticTests(boolean value) {
      hermeticTests = value;
      return this;
    }

    public Builder speculationBudget(int value) {
      speculationBudget = value;
      return this;
    }

    public Builder flakeRetries(int value) {
      flakeRetries = value;
      return this;
    }

    public Builder batchSizing(Sizing value) {
      batchSizing = value;
      return this;
    }

    public Builder timeoutSizing(Sizing value) {
      timeoutSizing = value;
      return this;
    }

    public QueueSettings build() {
      return new QueueSettings(
          mode,
          concurrency,
          bisectionConcurrency,
          testingTimeoutMinutes,
          pendingFailureDepth,
          canOptimisticallyMerge,
          batch,
          batchingMinSize,
          batchingMaxWaitTimeMinutes,
          mergeMethod,
          directMergeMode,
          optimizationMode,
          requiredStatuses,
          commentsEnabled,
          commandsEnabled,
          statusCheckEnabled,
          createPrsForTestingBranches,
          keepHeadBranches,
          enqueueingLabel,
          labelCommandsEnabled,
          stateLabelsEnabled,
          extensionEnabled,
          commandPrefixes,
          sentValues,
          hermeticTests,
          speculationBudget,
          flakeRetries,
          batchSizing,
          timeoutSizing);
    }
  }
}
