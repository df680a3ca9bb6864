package dev.mainstay.bench.crash;

import dev.mainstay.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * One place where a node runs, is killed with kill -9 after a while, and is started again. Now and
 * then it is stopped instead, for longer than its leases, and goes on as if nothing had happened.
 */
final class Node implements AutoCloseable {
  private static final int MOST_ANSWERS = 40;
  private static final int LONGEST_LIFE_MILLIS = 20_000;
  private static final int LONGEST_START_MILLIS = 3_000;
  private static final int STOPS_ONE_IN = 8;
  private static final String LISTENS = "Mainstay listens on ";

  private final Path directory;
  private final Map<String, String> environment;
  private final Random random;
  private final long longestStopMillis;
  private final Progress progress;
  private final Thread thread;
  private volatile Optional<String> address = Optional.empty();
  private volatile Process process;

  Node(
      Path directory,
      Map<String, String> environment,
      long seed,
      long longestStopMillis,
      Progress progress) {
    this.directory = directory;
    this.environment = environment;
    this.random = new Random(seed);
    this.longestStopMillis = longestStopMillis;
    this.progress = progress;
    this.process = start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> process.destroyForcibly()));
    this.thread = Thread.ofPlatform().name("killer").start(this::killAndStartAgain);
  }

  Path log() {
    return directory.resolveSibling("log");
  }

  /** The address at which it listens, while it does. */
  Optional<String> address() {
    return address;
  }

  /** It also dies while it starts. */
  private void killAndStartAgain() {
    try {
      while (true) {
        live();
        if (progress.killsLeft() > 0 && random.nextInt(STOPS_ONE_IN) == 0) {
          stopForAWhile(random.nextLong(longestStopMillis));
        } else if (progress.takeKill()) {
          address = Optional.empty();
          process.destroyForcibly().waitFor();
          process = start();
        } else {
          awaitListening();
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void live() throws InterruptedException {
    if (random.nextInt(4) == 0) {
      progress.await(Integer.MAX_VALUE, random.nextInt(LONGEST_START_MILLIS));
    } else {
      awaitListening();
      progress.await(random.nextInt(MOST_ANSWERS), LONGEST_LIFE_MILLIS);
    }
  }

  /** To the others it is cut off: its connections stand, and it does nothing. */
  private void stopForAWhile(long millis) throws InterruptedException {
    Optional<String> before = address;
    address = Optional.empty();
    signal("STOP");
    progress.await(Integer.MAX_VALUE, millis);
    signal("CONT");
    address = before;
  }

  private void signal(String name) throws InterruptedException {
    try {
      new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until nobody kills it any more and it serves. */
  void settle() throws InterruptedException {
    thread.join();
  }

  private Process start() {
    var builder =
        new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--data-dir",
                directory.toString()));
    builder.environment().put("MAINSTAY_GIT_ROOTS", System.getProperty("java.io.tmpdir"));
    builder.environment().putAll(environment);
    builder.redirectError(Redirect.appendTo(log().toFile()));
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitListening() {
    if (address.isPresent()) {
      return;
    }
    BufferedReader out = process.inputReader();
    try {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith(LISTENS)) {
          address = Optional.of(line.substring(LISTENS.length()));
          return;
        }
      }
    } catch (IOException e) {
      // The process is gone, as it may be at any moment.
    }
    throw new IllegalStateException("A node did not start; its log is beside " + directory);
  }

  @Override
  public void close() {
    thread.interrupt();
    process.destroy();
    process.onExit().join();
  }
}
