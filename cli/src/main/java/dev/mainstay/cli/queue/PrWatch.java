package dev.mainstay.cli.queue;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Screen;
import dev.mainstay.cli.shell.Table;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Follows one pull request until it has left the queue. A server that is away is waited for. */
final class PrWatch {
  private static final int MOST_NEIGHBOURS = 15;

  /** Reasons to be NOT_READY that pass without the author or the operator. */
  private static final Set<String> MENDED_BY_ITSELF =
      Set.of(
          "submitted",
          "head_moved",
          "mergeability_unknown",
          "impacted_targets_missing",
          "targets_changed",
          "queue_not_running",
          "forge_unavailable");

  private final ApiClient client;
  private final ObjectNode about;
  private final boolean json;
  private final Screen screen;
  private String last = "";
  private String stuckBy = "";

  PrWatch(ApiClient client, ObjectNode about, boolean json, Screen screen) {
    this.client = client;
    this.about = about;
    this.json = json;
    this.screen = screen;
  }

  /** 0 when it merged, else 1. It is given up when the time is over, or only a person can help. */
  int run(Duration interval, Optional<Duration> timeout) {
    long start = System.nanoTime();
    while (true) {
      try {
        ObjectNode pr = client.tryPost("getSubmittedPullRequest", about);
        show(pr);
        if (!pr.path("isCurrentlySubmittedToQueue").asBoolean()) {
          report(pr);
          return pr.path("state").asString().equals("MERGED") ? 0 : 1;
        }
        giveUpIfStuck(pr);
      } catch (ApiClient.Unreachable e) {
        tell(Table.harmless("the server does not answer: " + e.getMessage()));
      }
      Duration watched = Duration.ofNanos(System.nanoTime() - start);
      if (timeout.isPresent() && watched.plus(interval).compareTo(timeout.get()) > 0) {
        throw new Refusal("Watching ended by --timeout; the pull request goes on without it.");
      }
      pause(interval);
    }
  }

  /** Seen twice, so that nothing which is just being looked at counts. */
  private void giveUpIfStuck(ObjectNode pr) {
    String code = pr.at("/reason/code").asString();
    boolean stuck =
        pr.path("state").asString().equals("NOT_READY") && !MENDED_BY_ITSELF.contains(code);
    if (stuck && code.equals(stuckBy)) {
      throw new Refusal(
          "#%d waits for a person: %s Watch it again when that is mended."
              .formatted(
                  pr.path("prNumber").asInt(),
                  Table.harmless(pr.at("/reason/message").asString())));
    }
    stuckBy = stuck ? code : "";
  }

  private void report(ObjectNode pr) throws ApiClient.Unreachable {
    if (!json && pr.path("state").asString().equals("FAILED")) {
      RunReport.of(client, about, RunReport.USUAL_LINES).forEach(screen::print);
    }
  }

  private void show(ObjectNode pr) throws ApiClient.Unreachable {
    if (json) {
      String line = pr.toString();
      if (!line.equals(last)) {
        screen.print(line);
      }
      last = line;
    } else if (screen.isTerminal()) {
      screen.draw(view(pr));
    } else {
      tell(summary(pr));
    }
  }

  private void tell(String sentence) {
    if (!sentence.equals(last)) {
      screen.print(
          LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + "  " + sentence);
    }
    last = sentence;
  }

  private static String summary(JsonNode pr) {
    var text = new StringBuilder();
    text.append("#").append(pr.path("prNumber").asInt());
    text.append(" ").append(pr.path("state").asString());
    if (pr.has("position")) {
      text.append(" at ").append(pr.path("position").asInt());
    }
    text.append(": ").append(pr.at("/reason/message").asString());
    String waits = PullRequestTable.waitsFor(pr);
    if (!waits.isEmpty()) {
      text.append(" Waits for ").append(waits).append(".");
    }
    return Table.harmless(text.toString());
  }

  /** The pull request, its checks, and the queue around it. */
  private List<String> view(ObjectNode pr) throws ApiClient.Unreachable {
    var lines = new ArrayList<String>();
    lines.add(summary(pr));
    for (JsonNode sentence : pr.at("/readiness/waitingFor")) {
      lines.add("  waits: " + Table.harmless(sentence.asString()));
    }
    PullRequestTable.future(pr).forEach(line -> lines.add("  " + line));
    if (pr.path("isCurrentlySubmittedToQueue").asBoolean()) {
      addChecks(lines, pr);
      lines.add("");
      addQueue(lines);
    }
    return lines;
  }

  private void addChecks(List<String> lines, ObjectNode pr) throws ApiClient.Unreachable {
    if (!pr.has("testRunId")) {
      return;
    }
    ObjectNode runs = client.tryPost("getMergeQueueTestingDetails", about);
    for (JsonNode run : runs.path("testRuns")) {
      lines.add(
          Table.harmless(
              "  %s on %s"
                  .formatted(run.path("status").asString(), run.path("testBranch").asString())));
      for (JsonNode check : run.path("checks")) {
        lines.add(
            Table.harmless(
                "    %-8s %s"
                    .formatted(check.path("state").asString(), check.path("name").asString())));
      }
    }
  }

  private void addQueue(List<String> lines) throws ApiClient.Unreachable {
    JsonNode all = client.tryPost("getQueue", about).path("enqueuedPullRequests");
    var shown = about.arrayNode();
    all.valueStream().limit(MOST_NEIGHBOURS).forEach(shown::add);
    lines.addAll(PullRequestTable.of(shown).lines());
    if (all.size() > MOST_NEIGHBOURS) {
      lines.add("... and %d more".formatted(all.size() - MOST_NEIGHBOURS));
    }
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
