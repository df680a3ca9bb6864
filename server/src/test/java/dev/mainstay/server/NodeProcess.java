package dev.mainstay.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.LastWords;
import dev.mainstay.server.platform.Logs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A node as a process of its own: it can run out of memory or disk, and its log can be read. */
public final class NodeProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final int port;
  private final String token;

  /** {@code program} is what the Java machine is started by, with options for it at its end. */
  public NodeProcess(
      List<String> program, Database.Address database, Path log, Map<String, String> environment) {
    var command = new ArrayList<>(program);
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), getClass().getName()));
    var builder = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith("MAINSTAY_"));
    TestNode.options(database)
        .forEach((setting, value) -> builder.environment().put(setting.variable(), value));
    builder.environment().putAll(environment);
    try {
      process = builder.start();
      out = process.inputReader(UTF_8);
      token = out.readLine();
      port = Integer.parseInt(out.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  public int port() {
    return port;
  }

  public String token() {
    return token;
  }

  /** Waits for its end; gives the exit code. */
  public int await() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  /** The node itself; it ends with whoever started it. */
  public static void main(String[] arguments) throws IOException {
    Logs.configure(Logs.Format.TEXT, "INFO");
    LastWords.endProcess();
    Mainstay node =
        Mainstay.start(
            Config.read(Map.of(), System.getenv()),
            made -> System.out.println(made.token().text()),
            () -> {});
    System.out.println(node.port());
    System.in.read();
    Runtime.getRuntime().halt(0);
  }
}
