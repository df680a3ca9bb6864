package dev.mainstay.server.forge;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs the test command of a repository in a clean checkout of a commit. */
public final class TestCommand {
  private TestCommand() {}

  /** Puts the files to be tested into an empty directory. */
  public interface Checkout {
    void into(Path directory);
  }

  /** What is tested; the command hears of it by MAINSTAY_ variables. */
  public record Facts(
      String testBranch, CommitSha commit, String targetBranch, List<PullRequestRef> tested) {
    public Facts {
      tested = List.copyOf(tested);
    }
  }

  /**
   * A shell command line, run below {@code directory}, which several processes may share. What
   * still runs when {@code grace} after the limit or the cancellation is over, is killed.
   */
  public record Spec(
      String commandLine,
      Checkout checkout,
      Path directory,
      Facts facts,
      Duration limit,
      Duration grace,
      int maxOutput) {
    public static final Duration USUAL_GRACE = Duration.ofSeconds(5);
    public static final int USUAL_OUTPUT = 1 << 20;
  }

  public sealed interface Outcome {
    record Passed() implements Outcome {}

    record Failed(int exitCode) implements Outcome {}

    record TimedOut() implements Outcome {}

    record Cancelled() implements Outcome {}

    record CouldNotStart(String sentence) implements Outcome {}
  }

  /** A command that is running, or has. */
  public interface Running {
    /** All of its output so far, both streams, or the first and the last of it. */
    String output();

    /** Ends it with all it started; does nothing where it has ended. */
    void cancel();

    /** Complete when no process and no file of it is left. Never fails. */
    CompletableFuture<Outcome> outcome();
  }

  public static Running start(Spec spec) {
    var run = new CommandRun(spec);
    Thread.ofVirtual().name("test-command").start(run);
    return run;
  }

  /** Ends and removes what processes that were killed have left below this directory. */
  public static void sweep(Path directory) {
    try {
      RunDirectory.abandoned(directory)
          .forEach(
              left -> {
                MarkedProcesses.kill(left.mark(), 0);
                left.remove();
              });
    } catch (IOException e) {
      throw new IllegalStateException("What is left in " + directory + " cannot be removed", e);
    }
  }
}
