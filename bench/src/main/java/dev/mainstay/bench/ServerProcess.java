package dev.mainstay.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server in a process of its own, whose time and memory can be read. */
public final class ServerProcess implements AutoCloseable {
  /** As the launcher serves, for what a product is measured against as well. */
  private static final List<String> AS_LAUNCHED =
      List.of("-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders");

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final int port;

  /** Starts it and waits for the line that says where it listens. */
  ServerProcess(Class<?> main, String... args) throws IOException {
    this(List.of(), main, args);
  }

  ServerProcess(List<String> jvmOptions, Class<?> main, String... args) throws IOException {
    this(jvmOptions, Map.of(), Redirect.DISCARD, main, List.of(args));
  }

  /** With additions to the environment, and its log at a place of the caller's choice. */
  public ServerProcess(
      List<String> jvmOptions,
      Map<String, String> environment,
      Redirect log,
      Class<?> main,
      List<String> args)
      throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(AS_LAUNCHED);
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(args);
    var builder = new ProcessBuilder(command).redirectError(log);
    builder.environment().putAll(environment);
    process = builder.start();
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    while (line != null && !line.contains("listens on ")) {
      lines.add(line);
      line = out.readLine();
    }
    if (line == null) {
      throw new IOException("the server did not start");
    }
    port = Integer.parseInt(line.replaceAll(".*:", ""));
  }

  public int port() {
    return port;
  }

  /** The lines it printed before it listened. */
  public List<String> lines() {
    return lines;
  }

  public Process process() {
    return process;
  }

  /** User and system time of the process so far. */
  double cpuSeconds() {
    return process.toHandle().info().totalCpuDuration().orElseThrow().toMillis() / 1000.0;
  }

  /** The same of the processes below it, a database of its own among them, that are there now. */
  double cpuSecondsBelow() {
    return process
            .descendants()
            .mapToLong(p -> p.info().totalCpuDuration().orElse(Duration.ZERO).toMillis())
            .sum()
        / 1000.0;
  }

  public long residentMebibytes() throws IOException {
    return mebibytes("VmRSS:");
  }

  /** The most that was ever resident. */
  public long peakMebibytes() throws IOException {
    return mebibytes("VmHWM:");
  }

  private long mebibytes(String field) throws IOException {
    try (var status = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
      return status
              .filter(line -> line.startsWith(field))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .findFirst()
              .orElse(0)
          / 1024;
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
