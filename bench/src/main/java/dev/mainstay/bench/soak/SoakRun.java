package dev.mainstay.bench.soak;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The hour of a mid-size company, on one node with a heap that leaves it below 1 GiB: results of
 * 200 repositories, 50 queues, pages that are followed, hooks in, events out. It goes on for as
 * many minutes as are asked for, with so much of each in a minute that half an hour has all of it.
 * Prints what grows meanwhile, and what came of it all; whatever was answered with an error, or is
 * missing at the end, is a fault.
 */
public final class SoakRun {
  static final int REPOSITORIES = 200;
  static final int QUEUES = 50;
  private static final int WHOLE_MINUTES = 30;
  private static final int WHOLE_PULL_REQUESTS = 2_000;
  private static final int WHOLE_RESULTS = 5_000_000;
  private static final int VIEWERS = 100;
  private static final int HOOKED = 50;
  private static final int HOOKS_PER_MINUTE = 120;
  private static final int PAGES_PER_MINUTE = 120;
  private static final int MOST_MEBIBYTES = 1024;
  private static final Duration LONGEST_DRAIN = Duration.ofMinutes(15);

  /** Beyond what the last third may have more than the third before: growth without a bound. */
  private static final double MOST_GROWTH = 1.25;

  private SoakRun() {}

  /** The length in minutes; without one, all of it. */
  public static void run(List<String> args) throws Exception {
    int minutes = args.isEmpty() ? WHOLE_MINUTES : Integer.parseInt(args.getFirst());
    var time = Duration.ofMinutes(minutes);
    int pullRequests = WHOLE_PULL_REQUESTS * minutes / WHOLE_MINUTES;
    int uploads = (int) ((long) WHOLE_RESULTS * minutes / WHOLE_MINUTES / SoakUploads.RESULTS);
    var tally = new Tally();
    try (var node =
            new SoakNode(
                List.of("-Xmx600m"),
                Map.of("--webhook-networks", "127.0.0.0/8", "--max-connections", "2000"));
        var events = new SoakEvents(tally)) {
      var queues = new SoakQueues(node, tally, pullRequests);
      var uploading = new SoakUploads(node, tally);
      try (var hooks = new SoakHooks(node, tally, HOOKED)) {
        tally.say(
            "%d repositories, %d queues, %d minutes".formatted(REPOSITORIES, QUEUES, minutes));
        events.subscribe(node);
        queues.connect();
        hooks.connect();
        try (var viewers = new SoakViewers(node, tally, VIEWERS);
            var watch = new Watch(node, tally, time)) {
          try (var paced = new Paced(tally, time)) {
            paced.go("uploads", uploads, uploading.threads(), uploading::upload);
            paced.go("submissions", pullRequests, 2, queues::submit);
            paced.go("hooks", HOOKS_PER_MINUTE * minutes, 1, hooks::call);
            paced.go("pages", PAGES_PER_MINUTE * minutes, 1, viewers::look);
            queues.testUntilDone(time.plus(LONGEST_DRAIN));
          }
          events.awaitAll(queues.landed(), LONGEST_DRAIN);
          viewers.check();
          watch.look();
          end(tally, watch, queues);
        }
      }
    }
  }

  private static void end(Tally tally, Watch watch, SoakQueues queues) throws IOException {
    tally.print();
    watch.printTables();
    queues.check();
    watch.faults(MOST_MEBIBYTES, MOST_GROWTH).forEach(tally::fault);
    if (!tally.faults().isEmpty()) {
      tally.faults().stream().limit(20).forEach(fault -> System.out.println("FAULT: " + fault));
      throw new IOException(tally.faults().size() + " faults");
    }
    System.out.println("no error, and nothing that grows without a bound");
  }
}
