package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The truth: what the target branch holds and in which order it came, what every commit contains,
 * and which trees are good. The queue sees none of it but through events.
 */
public final class FakeForge {
  public static final String BRANCH = "main";
  private static final List<String> AUTHORS = List.of("ada", "grace", "linus");
  private static final Set<String> ALL_STATUSES =
      new TreeSet<>(List.of("build", "test", "lint", "mainstay/test"));

  private final Scenario scenario;
  private final Map<CommitSha, Tree> commits = new HashMap<>();
  private final List<CommitSha> history = new ArrayList<>();
  private final Map<Integer, FakePullRequest> prs = new TreeMap<>();
  private final Map<CommitSha, ImpactedTargets> toldTargets = new HashMap<>();
  private Instant lastLook = Instant.MIN;

  public FakeForge(Scenario scenario) {
    this.scenario = scenario;
    record("main0", Tree.EMPTY);
    history.add(new CommitSha("main0"));
  }

  public CommitSha head() {
    return history.getLast();
  }

  public List<CommitSha> history() {
    return List.copyOf(history);
  }

  /** The patch that this commit of the target branch brought. */
  public Patch newest(CommitSha commit) {
    return List.copyOf(tree(commit).patches()).getLast();
  }

  public Tree tree(CommitSha commit) {
    return Objects.requireNonNull(commits.get(commit), () -> "No such commit: " + commit);
  }

  boolean knows(CommitSha commit) {
    return commits.containsKey(commit);
  }

  CommitSha record(String name, Tree tree) {
    var commit = new CommitSha(name);
    commits.put(commit, tree);
    return commit;
  }

  /** The pull request of this number, which is opened when first spoken of. */
  public FakePullRequest pr(int number) {
    return prs.computeIfAbsent(
        number, n -> new FakePullRequest(n, subject(n).fresh() ? head() : history.getFirst()));
  }

  public FakePullRequest pr(PullRequestRef ref) {
    return pr(ref.number());
  }

  List<FakePullRequest> opened() {
    return List.copyOf(prs.values());
  }

  boolean exists(int number) {
    return scenario.subjects().containsKey(number);
  }

  Scenario.Subject subject(int number) {
    return scenario.subject(number);
  }

  public ImpactedTargets targets(Patch patch) {
    return subject(patch.number()).targets();
  }

  /** The target branch gets one more commit; the forge need not know whose it is. */
  CommitSha squash(Patch patch) {
    CommitSha commit = record("main" + history.size(), tree(head()).with(patch));
    history.add(commit);
    return commit;
  }

  /** The target branch gets one more commit. */
  CommitSha advance(Patch patch) {
    CommitSha commit = squash(patch);
    if (!patch.isForeign()) {
      pr(patch.number()).status = Status.MERGED;
    }
    return commit;
  }

  public boolean hasLanded(Patch patch) {
    return tree(head()).has(patch);
  }

  /** A patch can be merged into a tree. */
  boolean merges(Patch patch, Tree tree) {
    return scenario.flaws().conflicts().stream()
        .filter(p -> p.one() == patch.number() || p.other() == patch.number())
        .map(p -> tree.find(p.one() == patch.number() ? p.other() : p.one()))
        .flatMap(Optional::stream)
        .allMatch(other -> settled(patch, other));
  }

  /** All tests of this tree pass, flakes aside. */
  public boolean isGood(Tree tree) {
    return tree.patches().stream().noneMatch(scenario.flaws()::breaks)
        && scenario.flaws().clashes().stream().noneMatch(p -> clashes(p, tree));
  }

  private boolean clashes(Flaws.Pair pair, Tree tree) {
    var one = tree.find(pair.one());
    var other = tree.find(pair.other());
    return one.isPresent() && other.isPresent() && clash(one.get(), other.get());
  }

  /** Two changes break the tests together, though each may be good without the other. */
  public boolean clash(Patch one, Patch other) {
    return scenario.flaws().clash(one, other)
        && targets(one).meets(targets(other))
        && !settled(one, other);
  }

  /** Two changes cannot be merged into one tree. */
  public boolean conflict(Patch one, Patch other) {
    return scenario.flaws().conflict(one, other) && !settled(one, other);
  }

  private boolean settled(Patch one, Patch other) {
    return madeOn(one, other) || madeOn(other, one);
  }

  private boolean madeOn(Patch above, Patch below) {
    return !above.isForeign()
        && tree(pr(above.number()).madeOn(above.version())).find(below.number()).isPresent();
  }

  void tell(CommitSha head, ImpactedTargets targets) {
    toldTargets.put(head, targets);
  }

  Optional<ImpactedTargets> told(CommitSha head) {
    return Optional.ofNullable(toldTargets.get(head));
  }

  /** The pull request as the forge shows it; each look is later than the one before. */
  PullRequestSnapshot snapshot(int number, Instant now, Optional<Mergeability> unsure) {
    FakePullRequest pr = pr(number);
    lastLook = now.isAfter(lastLook) ? now : lastLook.plusMillis(1);
    Patch patch = pr.patch();
    CommitSha base = pr.madeOn(patch.version());
    return new PullRequestSnapshot(
        patch.head(),
        pr.onOurBranch ? BRANCH : "elsewhere",
        pr.status,
        unsure.orElse(mergeability(pr)),
        Optional.of(base),
        isGood(tree(base).with(patch)) ? ALL_STATUSES : Set.of(),
        lastLook,
        isThere(pr) ? Optional.of(head()) : Optional.empty(),
        false,
        List.of(),
        Optional.of(AUTHORS.get(number % AUTHORS.size())),
        Optional.of(number));
  }

  /** All that it changes is on the target branch, and the forge does not say so by itself. */
  public boolean isThere(FakePullRequest pr) {
    return pr.status != Status.MERGED && hasLanded(pr.patch());
  }

  public Mergeability mergeability(FakePullRequest pr) {
    return merges(pr.patch(), tree(head())) ? Mergeability.MERGEABLE : Mergeability.NOT_MERGEABLE;
  }
}
