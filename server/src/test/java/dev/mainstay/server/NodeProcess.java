package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.LastWords;
import dev.mainstay.server.platform.Logs;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;

/**
 * A whole node as a process of its own, so that it can be killed, told to stop, or run out of
 * memory or disk, and its log can be read.
 */
public final class NodeProcess implements AutoCloseable {
  public static final String TOKEN = "a-token-chosen-by-the-operator-0123456789";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String LISTENS = "listens on ";

  private final Process process;
  private final int port;
  private final List<String> words = new CopyOnWriteArrayList<>();
  private final Thread listener;

  private NodeProcess(Process process) throws IOException {
    this.process = process;
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    while (line != null && !line.startsWith(LISTENS)) {
      words.add(line);
      line = out.readLine();
    }
    assertThat(line).as("the node did not start: %s", words).isNotNull();
    this.port = Integer.parseInt(String.valueOf(line).substring(LISTENS.length()));
    this.listener = Thread.ofVirtual().start(() -> listen(out));
  }

  private void listen(BufferedReader out) {
    try {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        words.add(line);
      }
    } catch (IOException e) {
      words.add("it was killed");
    }
  }

  /** A node on this database, with these variables. */
  public static NodeProcess start(
      Database.Address database, Path data, Map<String, String> variables) throws IOException {
    var all = new HashMap<>(variables(database));
    all.putAll(variables);
    return start(data, all);
  }

  /** A node on a database of its own; the Java machine is started by this, with options for it. */
  static NodeProcess start(List<String> program, Map<String, String> variables) throws IOException {
    var all = new HashMap<>(variables(TestDatabase.withTables()));
    all.putAll(variables);
    return new NodeProcess(process(program, all));
  }

  private static Map<String, String> variables(Database.Address database) {
    var all = new HashMap<String, String>();
    TestNode.options(database).forEach((s, value) -> all.put(s.variable(), value));
    return all;
  }

  /** A node with these variables; on a database of its own where they name none. */
  public static NodeProcess start(Path data, Map<String, String> variables) throws IOException {
    return new NodeProcess(process(data, variables));
  }

  /** What a node says that refuses to start. */
  public static String refusal(Path data, Map<String, String> variables) throws IOException {
    Process process = process(data, variables);
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).isNotZero();
    return words;
  }

  private static Process process(Path data, Map<String, String> variables) throws IOException {
    var all = new HashMap<String, String>();
    all.put(Setting.HOST.variable(), "127.0.0.1");
    all.put(Setting.PORT.variable(), "0");
    all.put(Setting.GIT_ROOTS.variable(), System.getProperty("java.io.tmpdir"));
    all.putAll(variables);
    all.put(Setting.DATA_DIR.variable(), data.toString());
    return process(List.of(java()), all);
  }

  private static Process process(List<String> program, Map<String, String> variables)
      throws IOException {
    var command = new ArrayList<>(program);
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), NodeProcess.class.getName()));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("MAINSTAY_"));
    builder.environment().put(Setting.TOKEN.variable(), TOKEN);
    builder.environment().putAll(variables);
    return builder.start();
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  public int port() {
    return port;
  }

  public JsonNode ok(String operation, String body) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/%s".formatted(port, operation)))
            .header("x-api-token", TOKEN)
            .header("content-type", "application/json")
            .POST(BodyPublishers.ofString(body.replace('\'', '"')));
    var answer = new Answer(CLIENT.send(request.build(), BodyHandlers.ofString()));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** What it has said so far; everything, once it was closed. */
  public String log() {
    return String.join("\n", words);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** kill -9. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** SIGTERM, and waits for the end; {@link Process#destroy} would throw its last words away. */
  public void stop() {
    process.toHandle().destroy();
    process.onExit().join();
  }

  /** Stops it, so that nobody writes to its directory any more. */
  @Override
  public void close() {
    stop();
    try {
      listener.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] arguments) throws InterruptedException {
    LastWords.endProcess();
    var config = Config.read(Map.of(), System.getenv());
    Logs.configure(config.logFormat(), config.logLevel());
    var stopped = new CountDownLatch(1);
    var node = Mainstay.start(config, made -> {}, stopped::countDown);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  node.close();
                  stopped.countDown();
                }));
    System.out.println(LISTENS + node.port());
    stopped.await();
  }
}
