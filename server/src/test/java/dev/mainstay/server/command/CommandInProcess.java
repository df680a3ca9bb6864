package dev.mainstay.server.command;

import static dev.mainstay.server.Waiting.until;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A service of its own that runs a test command, to be killed without warning. The command has sent
 * a process into the background, in a session of that one's own.
 */
public final class CommandInProcess implements AutoCloseable {
  private final Process service;
  private final long command;
  private final long background;

  private CommandInProcess(Process service, long command, long background) {
    this.service = service;
    this.command = command;
    this.background = background;
  }

  /** Starts it, with files of ours in a directory, and waits until its command has come so far. */
  static CommandInProcess start(Path directory, Path runs) throws Exception {
    Path ready = directory.resolve("ready");
    Path direct = directory.resolve("direct");
    if (new ProcessBuilder("mkfifo", ready.toString()).start().waitFor() != 0) {
      throw new IllegalStateException("mkfifo");
    }
    String away = "(setsid sh -c 'echo $$ > " + ready + "; exec sleep 1000' >/dev/null 2>&1 &)";
    Process service =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CommandInProcess.class.getName(),
                runs.toString(),
                "echo $$ > " + direct + "; " + away + "; sleep 1000; true")
            .inheritIO()
            .start();
    long background = Long.parseLong(Files.readString(ready).strip());
    long command = Long.parseLong(Files.readString(direct).strip());
    return new CommandInProcess(service, command, background);
  }

  /**
   * Starts it and kills it together with whoever would clean up after it; returns the number of the
   * process that lives on.
   */
  public static long leaveBehind(Path directory, Path runs) throws Exception {
    try (CommandInProcess killed = start(directory, runs)) {
      killed.killWithKeeper();
      return killed.background;
    }
  }

  long background() {
    return background;
  }

  /** Kills the service; its command dies with it. */
  void kill() throws InterruptedException {
    service.destroyForcibly().waitFor();
    ProcessHandle.of(command).ifPresent(p -> p.onExit().orTimeout(5, TimeUnit.MINUTES).join());
  }

  void killWithKeeper() throws InterruptedException {
    // One that is only becoming it would end what is to be left behind.
    List<ProcessHandle> keepers =
        until(
            () -> service.descendants().filter(CommandInProcess::isKeeper).toList(),
            found -> !found.isEmpty());
    keepers.forEach(ProcessHandle::destroyForcibly);
    keepers.forEach(keeper -> keeper.onExit().orTimeout(5, TimeUnit.MINUTES).join());
    kill();
  }

  /** Kills the keeper of the one test below a directory, and returns the mark of that test. */
  static String killKeeper(Path runs) {
    String[] locks =
        Objects.requireNonNull(runs.toFile().list((folder, name) -> name.endsWith(".lock")));
    String mark = RunDirectory.MARK + "=" + locks[0].replace(".lock", "");
    ProcessHandle keeper =
        ProcessHandle.current()
            .children()
            .filter(p -> p.info().arguments().stream().flatMap(Stream::of).anyMatch(mark::equals))
            .findFirst()
            .orElseThrow();
    keeper.destroyForcibly();
    keeper.onExit().orTimeout(5, TimeUnit.MINUTES).join();
    return mark;
  }

  private static boolean isKeeper(ProcessHandle process) {
    return process.info().arguments().stream()
        .flatMap(Stream::of)
        .anyMatch("mainstay-keeper"::equals);
  }

  /** A process that has ended may still wait to be collected by whoever inherits it. */
  public static boolean isAlive(long pid) throws IOException {
    Path stat = Path.of("/proc/" + pid + "/stat");
    return Files.exists(stat) && !Files.readString(stat).contains(") Z ");
  }

  @Override
  public void close() {
    service.destroyForcibly();
  }

  public static void main(String[] arguments) {
    CommandRun.start(TestCommandTest.spec(Path.of(arguments[0]), arguments[1])).outcome().join();
  }
}
