package dev.mainstay.cli.queue;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.cli.shell.Refusal;
import java.io.PrintWriter;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints what a run's test command has printed, and may follow it to its end. */
final class PrLogs {
  /** As much of the end of what was printed is looked for in what comes next. */
  private static final int OVERLAP = 400;

  private final ApiClient client;
  private final PrintWriter out;
  private String printed = "";

  PrLogs(ApiClient client, PrintWriter out) {
    this.client = client;
    this.out = out;
  }

  /** Prints the output of the run that a request asks for, so far. */
  JsonNode print(ObjectNode request) {
    JsonNode log = client.post("getTestRunLog", request);
    add(RunReport.harmless(log.path("output").asString()));
    return log;
  }

  /** Prints it until no more will come. */
  void follow(ObjectNode request, Duration interval) {
    JsonNode log = print(request);
    ObjectNode same = request.deepCopy();
    same.remove("pr");
    same.remove("lines");
    same.put("testRunId", log.path("testRunId").asString());
    while (!log.path("complete").asBoolean()) {
      pause(interval);
      log = print(same);
    }
  }

  /** Prints what is new. The middle of a long output is left out, so its end is looked for. */
  private void add(String output) {
    if (output.startsWith(printed)) {
      out.print(output.substring(printed.length()));
    } else {
      String last = printed.substring(Math.max(0, printed.length() - OVERLAP));
      int known = output.lastIndexOf(last);
      out.print(known < 0 ? output : output.substring(known + last.length()));
    }
    out.flush();
    printed = output;
  }

  private static void pause(Duration interval) {
    try {
      Thread.sleep(interval);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal("Interrupted.");
    }
  }
}
