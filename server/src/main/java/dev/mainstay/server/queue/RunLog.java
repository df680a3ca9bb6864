package dev.mainstay.server.queue;

import java.util.List;

/**
 * The output of a run's test command, and the tests that failed in results of the run. It is
 * complete when no more will come.
 */
public record RunLog(String output, boolean complete, List<FailedTest> failedTests) {
  public RunLog {
    failedTests = List.copyOf(failedTests);
  }

  /** The last lines of the output. */
  public String lastLines(int most) {
    List<String> lines = output.lines().toList();
    return lines.size() <= most
        ? output
        : String.join("\n", lines.subList(lines.size() - most, lines.size())) + "\n";
  }
}
