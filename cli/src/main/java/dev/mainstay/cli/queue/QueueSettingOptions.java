package dev.mainstay.cli.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The settings of a queue. What is not given stays as it is; the server knows the ranges. */
final class QueueSettingOptions {
  @Option(names = "--mode", paramLabel = "MODE", description = "single or parallel (single).")
  private @Nullable String mode;

  @Option(names = "--concurrency", paramLabel = "N", description = "Test runs at once (5).")
  private @Nullable Integer concurrency;

  @Option(
      names = "--bisection-concurrency",
      paramLabel = "N",
      description = "Runs at once that look for the guilty of a batch (as --concurrency).")
  private @Nullable Integer bisectionConcurrency;

  @Option(
      names = "--testing-timeout",
      paramLabel = "MINUTES",
      description = "How long a test run may take; 0 is for ever (300).")
  private @Nullable Integer testingTimeout;

  @Option(
      names = "--pending-failure-depth",
      paramLabel = "N",
      description = "How many hops behind it a failure waits for (0).")
  private @Nullable Integer pendingFailureDepth;

  @Option(
      names = "--optimistic",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether a pass proves all it stands on (false).")
  private @Nullable Boolean optimistic;

  @Option(
      names = "--speculation-budget",
      paramLabel = "N",
      description = "How many runs beside its own a pull request may have at once (0).")
  private @Nullable Integer speculationBudget;

  @Option(
      names = "--flake-retries",
      paramLabel = "N",
      description = "How often what failed only in tests known to be flaky is tested again (1).")
  private @Nullable Integer flakeRetries;

  @Option(
      names = "--batch-sizing",
      paramLabel = "FIXED|AUTO",
      description = "Whether the queue finds the size of batches by itself (FIXED).")
  private @Nullable String batchSizing;

  @Option(
      names = "--timeout-sizing",
      paramLabel = "FIXED|AUTO",
      description = "Whether the queue finds by itself how long tests may take (FIXED).")
  private @Nullable String timeoutSizing;

  @Option(
      names = "--hermetic-tests",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether what touches other targets cannot sway a test (true).")
  private @Nullable Boolean hermeticTests;

  @Option(
      names = "--batch",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether pull requests are tested together (false).")
  private @Nullable Boolean batch;

  @Option(names = "--batch-size", paramLabel = "N", description = "How large a batch grows (4).")
  private @Nullable Integer batchSize;

  @Option(
      names = "--batch-wait",
      paramLabel = "MINUTES",
      description = "How long the oldest waits for its batch to fill (5).")
  private @Nullable Integer batchWait;

  @Option(
      names = "--merge-method",
      paramLabel = "METHOD",
      description = "SQUASH, MERGE_COMMIT or REBASE (SQUASH).")
  private @Nullable String mergeMethod;

  @Option(
      names = "--direct-merge",
      paramLabel = "OFF|ALWAYS",
      description = "Whether what is up to date and has passed merges untested (OFF).")
  private @Nullable String directMerge;

  @Option(
      names = "--optimization",
      paramLabel = "MODE",
      description = "OFF or BISECTION_SKIP_REDUNDANT_TESTS (OFF).")
  private @Nullable String optimization;

  @Option(
      names = "--require",
      paramLabel = "STATUS",
      split = ",",
      description = "The statuses that must pass; '' requires nothing.")
  private @Nullable List<String> require;

  @Option(
      names = "--require-as-forge",
      description = "Require what the forge's branch protection, or the test command, says.")
  private boolean requireAsForge;

  @Option(names = "--comments", arity = "1", paramLabel = "true|false", description = "(true)")
  private @Nullable Boolean comments;

  @Option(names = "--commands", arity = "1", paramLabel = "true|false", description = "(true)")
  private @Nullable Boolean commands;

  @Option(names = "--status-check", arity = "1", paramLabel = "true|false", description = "(true)")
  private @Nullable Boolean statusCheck;

  @Option(
      names = "--test-branch-prs",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether each test branch has a draft pull request of its own (false).")
  private @Nullable Boolean testBranchPrs;

  @Option(
      names = "--rewrite-heads",
      arity = "1",
      paramLabel = "true|false",
      description =
          "Whether the branch of a head is moved to its landed commit where the forge shows it as merged"
              + " only then (true).")
  private @Nullable Boolean rewriteHeads;

  @Option(
      names = "--enqueueing-label",
      paramLabel = "LABEL",
      description = "The label that submits a pull request at its host, '' for none.")
  private @Nullable String enqueueingLabel;

  @Option(
      names = "--label-commands",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether the labels mainstay/merge and mainstay/cancel are commands (false).")
  private @Nullable Boolean labelCommands;

  @Option(
      names = "--state-labels",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether a label says how a pull request stands (false).")
  private @Nullable Boolean stateLabels;

  @Option(
      names = "--command-prefixes",
      paramLabel = "PREFIX",
      split = ",",
      description = "How commands in comments begin: /mainstay, /trunk, or both (/mainstay).")
  private @Nullable List<String> commandPrefixes;

  @Option(
      names = "--extension",
      arity = "1",
      paramLabel = "true|false",
      description = "Kept for clients, and of no effect (false).")
  private @Nullable Boolean extension;

  /** Adds what was given to a request. */
  ObjectNode addTo(ObjectNode request) {
    put(request, "mode", mode);
    put(request, "concurrency", concurrency);
    put(request, "bisectionConcurrency", bisectionConcurrency);
    put(request, "testingTimeoutMinutes", testingTimeout);
    put(request, "pendingFailureDepth", pendingFailureDepth);
    put(request, "canOptimisticallyMerge", optimistic);
    put(request, "speculationBudget", speculationBudget);
    put(request, "flakeRetries", flakeRetries);
    put(request, "batchSizing", batchSizing);
    put(request, "timeoutSizing", timeoutSizing);
    put(request, "hermeticTests", hermeticTests);
    put(request, "batch", batch);
    put(request, "batchingMinSize", batchSize);
    put(request, "batchingMaxWaitTimeMinutes", batchWait);
    put(request, "mergeMethod", mergeMethod);
    put(request, "directMergeMode", directMerge);
    put(request, "optimizationMode", optimization);
    put(request, "commentsEnabled", comments);
    put(request, "commandsEnabled", commands);
    put(request, "statusCheckEnabled", statusCheck);
    put(request, "createPrsForTestingBranches", testBranchPrs);
    put(request, "rewriteHeadBranches", rewriteHeads);
    put(request, "enqueueingLabel", enqueueingLabel);
    put(request, "labelCommandsEnabled", labelCommands);
    put(request, "stateLabelsEnabled", stateLabels);
    put(request, "extensionEnabled", extension);
    if (commandPrefixes != null) {
      commandPrefixes.forEach(request.putArray("commandPrefixes")::add);
    }
    if (require != null) {
      var names = request.putArray("requiredStatuses");
      require.stream().filter(name -> !name.isEmpty()).forEach(names::add);
    }
    if (requireAsForge) {
      request.put("deleteRequiredStatuses", true);
    }
    return request;
  }

  private static void put(ObjectNode request, String field, @Nullable Object value) {
    if (value != null) {
      request.putPOJO(field, value);
    }
  }
}
