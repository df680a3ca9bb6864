package dev.mainstay.bench.attack;

import dev.mainstay.bench.Waiting;
import dev.mainstay.bench.attack.Attack.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Test commands that take their node with them, or outlive it. */
final class CommandAttacks {
  private static final int MOST_BEGINS = 3;
  private static final int KILLS = 6;
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private CommandAttacks() {}

  /** A command during which its node dies, each time. */
  static Outcome killer(Scene scene) throws Exception {
    String mark = "31415.92";
    Victim victim = scene.victim();
    Queue queue = Queue.on(victim, scene.repository("killer"), "killer", "sleep " + mark);
    queue.submitGood(1);
    int begins = 0;
    while (begins < KILLS && Waiting.until(() -> runs(mark) || hasFailed(queue), LONGEST)) {
      if (hasFailed(queue)) {
        break;
      }
      begins++;
      victim.kill();
      Waiting.until(() -> !runs(mark), Duration.ofSeconds(5));
      victim.startAgain();
    }
    boolean failed = hasFailed(queue);
    return Outcome.of(
        failed && begins <= MOST_BEGINS,
        "begun %d times (at most %d), then %s".formatted(begins, MOST_BEGINS, queue.state(1)));
  }

  private static boolean hasFailed(Queue queue) throws IOException, InterruptedException {
    return queue.state(1).equals("FAILED");
  }

  /** Children of a command, one of them in a session of its own, when the node is killed. */
  static Outcome orphans(Scene scene) throws Exception {
    List<String> marks = List.of("27182.81", "27182.82");
    Victim victim = scene.victim();
    Queue queue =
        Queue.on(
            victim,
            scene.repository("orphans"),
            "orphans",
            "setsid sleep %s & sleep %s".formatted(marks.get(0), marks.get(1)));
    queue.submitGood(1);
    boolean begun = Waiting.until(() -> runs(marks.get(0)) && runs(marks.get(1)), LONGEST);
    victim.kill();
    boolean atOnce =
        Waiting.until(() -> marks.stream().noneMatch(CommandAttacks::runs), Duration.ofSeconds(5));
    Path checkouts = victim.data().resolve("work/tests");
    List<Path> before = list(checkouts);
    victim.startAgain();
    boolean swept =
        Waiting.until(() -> list(checkouts).stream().noneMatch(before::contains), LONGEST);
    return Outcome.of(
        begun && atOnce && swept,
        "two children begun: %s, gone with their node: %s; %d checkouts left, swept at the start: %s"
            .formatted(begun, atOnce, before.size(), swept));
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  /** Whether a process is there with this argument. */
  private static boolean runs(String argument) {
    return ProcessHandle.allProcesses()
        .anyMatch(
            process ->
                process.info().arguments().map(a -> List.of(a).contains(argument)).orElse(false));
  }
}
