package dev.mainstay.server.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * How long a submission was in the queue and what it did there, reckoned from the transitions of
 * its story alone.
 */
record TimeInQueue(double seconds, double waiting, double testing, double blocked) {
  private static final Set<String> ENDS = Set.of("MERGED", "FAILED", "CANCELLED");
  private static final Map<String, String> PARTS =
      Map.of(
          "NOT_READY", "waiting",
          "PENDING", "waiting",
          "TESTING", "testing",
          "TESTS_PASSED", "blocked",
          "PENDING_FAILURE", "blocked");

  /** Of an ended submission; one that was never let in was there for no time. */
  static TimeInQueue of(JsonNode submission) {
    List<JsonNode> moves =
        submission
            .path("transitions")
            .valueStream()
            .dropWhile(t -> state(t).equals("NOT_READY"))
            .toList();
    if (ENDS.contains(state(moves.getFirst()))) {
      return new TimeInQueue(0, 0, 0, 0);
    }
    var parts = new HashMap<String, Double>();
    for (int i = 0; i + 1 < moves.size(); i++) {
      parts.merge(
          PARTS.get(state(moves.get(i))), between(moves.get(i), moves.get(i + 1)), Double::sum);
    }
    return new TimeInQueue(
        between(moves.getFirst(), moves.getLast()),
        parts.getOrDefault("waiting", 0.0),
        parts.getOrDefault("testing", 0.0),
        parts.getOrDefault("blocked", 0.0));
  }

  private static String state(JsonNode transition) {
    return transition.path("state").asString();
  }

  private static double between(JsonNode one, JsonNode next) {
    return Duration.between(time(one), time(next)).toMillis() / 1000.0;
  }

  private static Instant time(JsonNode transition) {
    return Instant.parse(transition.path("at").asString());
  }

  /** The value that this share of some is at most, between two where it falls between them. */
  static double percentile(List<Double> some, double share) {
    List<Double> sorted = some.stream().sorted().toList();
    double place = share * (sorted.size() - 1);
    double below = sorted.get((int) Math.floor(place));
    double above = sorted.get((int) Math.ceil(place));
    return below + (above - below) * (place - Math.floor(place));
  }
}
