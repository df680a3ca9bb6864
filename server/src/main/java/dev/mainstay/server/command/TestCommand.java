package dev.mainstay.server.command;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The test command of a repository, and the run of it in a clean checkout of a commit. */
public final class TestCommand {
  private TestCommand() {}

  /**
   * Puts the files to be tested into an empty directory, or says that they cannot be had or that no
   * disk takes them.
   */
  public interface Checkout {
    Optional<Outcome> into(Path directory);
  }

  /** The facts about a test, which the command hears by MAINSTAY_ variables. */
  public record Facts(
      RepoName repo,
      String testRunId,
      String testBranch,
      CommitSha commit,
      CommitSha base,
      String targetBranch,
      List<PullRequestRef> tested) {
    public Facts {
      tested = List.copyOf(tested);
    }

    Map<String, String> variables() {
      return Map.of(
          "MAINSTAY_REPO",
          repo.toString(),
          "MAINSTAY_TEST_RUN_ID",
          testRunId,
          "MAINSTAY_TEST_BRANCH",
          testBranch,
          "MAINSTAY_COMMIT",
          commit.value(),
          "MAINSTAY_BASE_COMMIT",
          base.value(),
          "MAINSTAY_TARGET_BRANCH",
          targetBranch,
          "MAINSTAY_PULL_REQUESTS",
          tested.stream().map(p -> "" + p.number()).collect(Collectors.joining(",")));
    }
  }

  /**
   * A shell command line, run below {@code directory}, which several processes may share. A process
   * that still runs {@code grace} after the limit or the cancellation is killed. {@code begin} is
   * told when the files are there, before there is a process; what it throws keeps the command from
   * being begun.
   */
  public record Spec(
      String commandLine,
      Checkout checkout,
      Runnable begin,
      Path directory,
      Facts facts,
      Kit kit,
      Confinement confinement,
      Duration limit,
      Duration grace,
      int maxOutput) {
    public static final Duration USUAL_GRACE = Duration.ofSeconds(5);
  }

  public sealed interface Outcome {
    record Passed() implements Outcome {}

    record Failed(int exitCode) implements Outcome {}

    record TimedOut() implements Outcome {}

    record Cancelled() implements Outcome {}

    /** The files to be tested could not be had; asking again after this delay may help. */
    record NoFiles(String sentence, Duration delay) implements Outcome {}

    /** The files to be tested are such that they cannot be put onto a disk. */
    record BadFiles(String sentence) implements Outcome {}

    record CouldNotStart(String sentence) implements Outcome {}
  }

  /** A command that is running, or has. */
  public interface Running {
    /** The output so far, both streams, without secrets; of a long one its beginning and end. */
    String output();

    /** Ends the command with all it started; does nothing where it has ended. */
    void cancel();

    /** The outcome, complete when no process and no file of the command is left. Never fails. */
    CompletableFuture<Outcome> outcome();
  }
}
