package dev.mainstay.server.command;

import static dev.mainstay.server.Waiting.until;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
    return start(directory, runs, false);
  }

  /** The same, where the command may have a user of its own. */
  static CommandInProcess start(Path directory, Path runs, boolean ownUser) throws Exception {
    Path ready = directory.resolve("ready");
    Path direct = directory.resolve("direct");
    run("mkfifo", "-m", "666", ready.toString());
    String away = "(setsid sh -c 'echo $$ > " + ready + "; exec sleep 1000' >/dev/null 2>&1 &)";
    Process service =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CommandInProcess.class.getName(),
                runs.toString(),
                String.valueOf(ownUser),
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
    ProcessHandle.of(command).ifPresent(CommandInProcess::awaitEnd);
  }

  void killWithKeeper() throws Exception {
    // A service that sees that its command has no keeper ends it, so it stands still meanwhile.
    run("kill", "-STOP", "" + service.pid());
    ProcessHandle keeper = keeper();
    keeper.destroyForcibly();
    kill();
    awaitEnd(keeper);
  }

  /** Kills the service while its keeper is held up; returns that one. */
  ProcessHandle killBeforeKeeper() throws Exception {
    ProcessHandle keeper = keeper();
    run("kill", "-STOP", "" + keeper.pid());
    kill();
    return keeper;
  }

  /** Lets a keeper that was held up do its work. */
  static void goOn(ProcessHandle keeper) throws Exception {
    run("kill", "-CONT", "" + keeper.pid());
    awaitEnd(keeper);
  }

  private ProcessHandle keeper() {
    return until(
            () -> service.descendants().filter(CommandInProcess::isKeeper).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static void awaitEnd(ProcessHandle process) {
    process.onExit().orTimeout(5, TimeUnit.MINUTES).join();
  }

  private static void run(String... command) throws Exception {
    if (new ProcessBuilder(command).start().waitFor() != 0) {
      throw new IllegalStateException(List.of(command) + " failed");
    }
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
    awaitEnd(keeper);
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
    var confinement = new Confinement(Boolean.parseBoolean(arguments[1]), Optional.empty());
    CommandRun.start(TestCommandTest.spec(Path.of(arguments[0]), arguments[2], confinement))
        .outcome()
        .join();
  }
}
