package dev.mainstay.server.command;

import dev.mainstay.server.command.TestCommand.Outcome;
import dev.mainstay.server.command.TestCommand.Spec;
import dev.mainstay.server.platform.ProcessGroup;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A run of a test command, from the checkout until nothing of it is left. */
public final class CommandRun implements TestCommand.Running, Runnable {
  private static final Logger log = LoggerFactory.getLogger(CommandRun.class);
  private static final int SECONDS_FOR_LAST_WORDS = 5;
  private static final List<String> INHERITED =
      List.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "LANG",
          "LC_ALL",
          "TZ",
          "JAVA_HOME",
          "http_proxy",
          "https_proxy",
          "no_proxy",
          "HTTP_PROXY",
          "HTTPS_PROXY",
          "NO_PROXY");

  private static final String USER = "mainstay-test";
  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
  private static final Pattern PASSWORD = Pattern.compile("://[^/@:]*:([^/@]+)@");

  /** Commands die with the thread that started them: this one lives as long as the service. */
  private static final ExecutorService STARTER =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("test-command-starter").factory());

  private final Spec spec;
  private final BoundedOutput output;
  private final Scrubber scrubber;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private @Nullable Outcome stopped;
  private @Nullable Process process;

  private CommandRun(Spec spec) {
    this.spec = spec;
    this.output = new BoundedOutput(spec.maxOutput());
    this.scrubber = new Scrubber(output, secrets(spec));
  }

  /** The secrets of the kit, and the passwords in addresses that a command inherits. */
  private static List<String> secrets(Spec spec) {
    Stream<String> passwords =
        INHERITED.stream()
            .flatMap(name -> Stream.ofNullable(System.getenv(name)))
            .flatMap(value -> PASSWORD.matcher(value).results())
            .map(found -> found.group(1))
            .filter(password -> password.length() >= Kit.SHORTEST_SECRET);
    return Stream.concat(spec.kit().blottedOut().stream(), passwords).toList();
  }

  public static TestCommand.Running start(Spec spec) {
    var run = new CommandRun(spec);
    Thread.ofVirtual().name("test-command").start(run);
    return run;
  }

  /**
   * Ends the commands and removes the files that killed services have left below this directory.
   */
  public static void sweep(Path directory) {
    try {
      for (RunDirectory left : RunDirectory.abandoned(directory)) {
        Optional<TestUser> user =
            left.user().isPresent()
                ? TestUser.take(directory, left.user().get())
                : Optional.empty();
        MarkedProcesses.kill(left.mark(), 0);
        left.remove();
        if (user.isPresent()) {
          user.get().close();
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("What is left in " + directory + " cannot be removed", e);
    }
  }

  @Override
  public String output() {
    return output.text();
  }

  @Override
  public void cancel() {
    stop(new Outcome.Cancelled());
  }

  @Override
  public CompletableFuture<Outcome> outcome() {
    return outcome.copy();
  }

  @Override
  public void run() {
    Outcome result = new Outcome.CouldNotStart("The test command could not be run.");
    try {
      Optional<TestUser> user = spec.confinement().user(spec.directory());
      try {
        result = runAs(user);
      } finally {
        if (user.isPresent()) {
          user.get().close();
        }
      }
    } catch (IOException | RuntimeException e) {
      log.warn("a test command could not be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      outcome.complete(result);
    }
  }

  private Outcome runAs(Optional<TestUser> user) throws IOException, InterruptedException {
    RunDirectory directory = RunDirectory.create(spec.directory());
    try {
      directory.put(spec.kit().program());
      Optional<Outcome> fault = spec.checkout().into(directory.files());
      if (fault.isPresent()) {
        return fault.get();
      }
      if (user.isPresent()) {
        directory.give(user.get());
      }
      try (Keeper keeper = Keeper.start(directory.mark(), user)) {
        return runIn(directory, user, keeper);
      }
    } finally {
      directory.remove();
    }
  }

  private Outcome runIn(RunDirectory directory, Optional<TestUser> user, Keeper keeper)
      throws IOException, InterruptedException {
    Optional<Process> started = launched(directory, user);
    if (started.isEmpty()) {
      return new Outcome.Cancelled();
    }
    Process command = started.get();
    var limit = ProcessGroup.after(spec.limit(), () -> stop(new Outcome.TimedOut()));
    Thread reader = Thread.ofVirtual().start(() -> keep(command.getInputStream()));
    try {
      keeper.watch(command.pid());
      int exit = command.waitFor();
      return ended(exit);
    } finally {
      limit.lift();
      MarkedProcesses.kill(directory.mark(), command.pid(), user);
      reader.join(TimeUnit.SECONDS.toMillis(SECONDS_FOR_LAST_WORDS));
    }
  }

  private synchronized Outcome ended(int exit) {
    if (stopped != null) {
      return stopped;
    }
    return exit == 0 ? new Outcome.Passed() : new Outcome.Failed(exit);
  }

  /** Starts the command; empty where it was cancelled before. */
  private synchronized Optional<Process> launched(RunDirectory directory, Optional<TestUser> user)
      throws IOException {
    if (stopped != null) {
      return Optional.empty();
    }
    var builder =
        new ProcessBuilder(spec.confinement().commandLine(spec.commandLine(), directory, user))
            .directory(directory.files().toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment(directory));
    spec.begin().run();
    process = CompletableFuture.supplyAsync(() -> start(builder), STARTER).join();
    return Optional.of(process);
  }

  private static Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> environment(RunDirectory directory) {
    var result = new HashMap<String, String>();
    for (String name : INHERITED) {
      String value = System.getenv(name);
      if (value != null) {
        result.put(name, value);
      }
    }
    result.putAll(spec.kit().variables());
    result.putAll(spec.facts().variables());
    result.put("CI", "true");
    result.put("TMPDIR", directory.temporary().toString());
    if (spec.confinement().ownHome()) {
      result.put("HOME", directory.home().toString());
    }
    if (spec.confinement().ownUser()) {
      result.put("USER", USER);
      result.put("LOGNAME", USER);
    }
    if (!spec.kit().program().isEmpty()) {
      String path = result.getOrDefault("PATH", USUAL_PATH);
      result.put("PATH", directory.programs() + File.pathSeparator + path);
    }
    result.put(RunDirectory.MARK, directory.path().getFileName().toString());
    return result;
  }

  /** Asks the command to end, and makes it end where it does not. */
  private synchronized void stop(Outcome why) {
    if (stopped != null || outcome.isDone()) {
      return;
    }
    stopped = why;
    Process command = process;
    if (command != null && command.isAlive()) {
      if (spec.confinement().sandbox().isPresent()) {
        // The sandbox itself would end at once, and the command with it.
        MarkedProcesses.groupsBelow(command.pid()).forEach(g -> ProcessGroup.signal("TERM", g));
      } else {
        ProcessGroup.signal("TERM", command.pid());
      }
      ProcessGroup.after(spec.grace(), () -> killSession(command));
    }
  }

  private static void killSession(Process leader) {
    if (leader.isAlive()) {
      ProcessGroup.signal("KILL", leader.pid());
    }
  }

  private void keep(InputStream stream) {
    byte[] buffer = new byte[1 << 16];
    try {
      for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
        scrubber.write(buffer, n);
      }
    } catch (IOException e) {
      log.debug("the output of a test command ended early", e);
    }
    scrubber.end();
  }
}
