package dev.mainstay.bench.attack;

import dev.mainstay.bench.Waiting;
import dev.mainstay.bench.attack.Attack.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A machine whose disk is full, or whose clock is wrong for a while. */
final class MachineAttacks {
  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final Duration WRONG_FOR = Duration.ofSeconds(8);
  private static final String JUMP = "+6h";
  private static final long SMALL = 400L << 20;
  private static final String SMALL_DISK = "MAINSTAY_ATTACK_SMALL_DISK";

  private MachineAttacks() {}

  /** Six hours ahead for eight seconds, while a test runs. Needs the library of faketime. */
  static Outcome clock(Scene scene) throws Exception {
    Optional<Path> library = faketime();
    if (library.isEmpty()) {
      return Outcome.leftOut("MAINSTAY_FAKETIME names no libfaketimeMT.so.1 (Debian: libfaketime)");
    }
    Path offset = Files.writeString(scene.directory().resolve("clock"), "+0");
    Victim victim =
        scene.victim(
            Map.of(
                "LD_PRELOAD",
                library.get().toString(),
                "FAKETIME_TIMESTAMP_FILE",
                offset.toString(),
                "FAKETIME_CACHE_DURATION",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1"));
    Queue queue = Queue.on(victim, scene.repository("clock"), "clock", "sleep 12");
    queue.submitGood(1);
    Waiting.until(() -> queue.state(1).equals("TESTING"), LONGEST);
    Files.writeString(offset, JUMP);
    Thread.sleep(WRONG_FOR);
    Files.writeString(offset, "+0");
    String first = queue.end(1);
    boolean works = queue.works(2);
    boolean told = Files.readString(scene.directory().resolve("log")).contains(" jumped by ");
    return Outcome.of(
        first.equals("MERGED") && works && told,
        "%s for %d s: the test that ran meanwhile ended as %s; a change lands afterwards: %s; the log tells: %s"
            .formatted(JUMP, WRONG_FOR.toSeconds(), first, works, told));
  }

  private static Optional<Path> faketime() {
    return Optional.ofNullable(System.getenv("MAINSTAY_FAKETIME"))
        .filter(named -> !named.isEmpty())
        .map(Path::of)
        .filter(Files::exists);
  }

  /** No byte is free any more. Needs a small file system, which bench/attack makes where it may. */
  static Outcome disk(Scene scene) throws Exception {
    String small = System.getenv(SMALL_DISK);
    if (small == null) {
      return Outcome.leftOut("no small file system could be mounted here");
    }
    Path disk = Path.of(small);
    FileStore store = Files.getFileStore(disk);
    if (store.getTotalSpace() > SMALL) {
      return Outcome.leftOut(disk + " is not small");
    }
    Victim victim = scene.victim(disk.resolve("data"), Map.of());
    Map<String, String> report =
        Map.of("r.xml", "<testsuite><testcase classname='C' name='a' time='0.1'/></testsuite>");
    int before = victim.upload("disk", "c0", report).status();
    Path filler = disk.resolve("filler");
    fill(filler);
    boolean told = Waiting.until(() -> victim.get("/readyz").status() == 503, LONGEST);
    Victim.Answer full = victim.upload("disk", "c1", large());
    Files.delete(filler);
    boolean ready = Waiting.until(() -> victim.get("/readyz").status() == 200, LONGEST);
    int after = victim.upload("disk", "c2", report).status();
    return Outcome.of(
        before == 200
            && told
            && full.status() == 503
            && full.text().contains("disk_full")
            && ready
            && after == 200,
        "full: not ready %s, an upload %d%s; freed: ready %s, an upload %d"
            .formatted(
                told,
                full.status(),
                full.text().contains("disk_full") ? " disk_full" : "",
                ready,
                after));
  }

  private static Map<String, String> large() {
    String name = "n".repeat(1000);
    var cases = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      cases.append("<testcase classname='C' name='%s%d' time='0.1'/>".formatted(name, i));
    }
    return Map.of("r.xml", "<testsuite>" + cases + "</testsuite>");
  }

  private static void fill(Path file) throws IOException {
    try (var out = Files.newOutputStream(file)) {
      for (int size = 1 << 20; size > 0; size /= 2) {
        fill(out, new byte[size]);
      }
    }
  }

  private static void fill(OutputStream out, byte[] piece) {
    try {
      for (long written = 0; written < SMALL; written += piece.length) {
        out.write(piece);
      }
    } catch (IOException e) {
      // Full for pieces of this size.
    }
  }
}
