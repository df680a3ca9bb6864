package dev.mainstay.server;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A whole node on real PostgreSQL, called over real HTTP. Every answer is checked against the
 * node's own /openapi.json, and so is every request that was taken, so that what is described and
 * what is done cannot drift apart.
 */
public final class TestNode implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();

  private final MovableClock clock;
  private final Mainstay node;
  private final AtomicReference<String> token = new AtomicReference<>("");

  private TestNode(Config config, MovableClock clock) {
    this(config, clock, database -> clock);
  }

  private TestNode(Config config, MovableClock clock, Function<Database, Clock> time) {
    this.clock = clock;
    this.node = Mainstay.start(config, time, made -> token.set(made.token().text()), () -> {});
  }

  /** A node on a database of its own. */
  public static TestNode start() {
    return start(TestDatabase.withTables(), new MovableClock());
  }

  /** One more node on a database. */
  public static TestNode start(Database.Address database, MovableClock clock) {
    return new TestNode(config(database), clock);
  }

  /** A node whose time is what it makes of the clocks around it. */
  public static TestNode start(Database.Address address, Function<Database, Clock> time) {
    return new TestNode(config(address), new MovableClock(), time);
  }

  /** A node on a database of its own with these settings too. */
  public static TestNode start(Map<Setting, String> settings) {
    var options = options(TestDatabase.withTables());
    options.putAll(settings);
    return new TestNode(Config.read(options, Map.of()), new MovableClock());
  }

  /** One more node on a database, with these settings too. */
  public static TestNode start(
      Database.Address database, MovableClock clock, Map<Setting, String> settings) {
    var options = options(database);
    options.putAll(settings);
    return new TestNode(Config.read(options, Map.of()), clock);
  }

  public static Config config(Database.Address database) {
    return Config.read(options(database), Map.of());
  }

  public static Map<Setting, String> options(Database.Address database) {
    String user = "postgresql://%s:%s@".formatted(database.user(), database.password());
    var options = new EnumMap<Setting, String>(Setting.class);
    options.put(Setting.DATABASE_URL, database.jdbcUrl().replace("jdbc:postgresql://", user));
    options.put(Setting.DATABASE_CONNECTIONS, "4");
    options.put(Setting.HOST, "127.0.0.1");
    options.put(Setting.PORT, "0");
    options.put(Setting.GIT_ROOTS, System.getProperty("java.io.tmpdir"));
    options.put(Setting.DATA_DIR, OpenDirectories.create().toString());
    return options;
  }

  /** The key of the first start; empty when another node made it. */
  public String token() {
    return token.get();
  }

  public MovableClock clock() {
    return clock;
  }

  public int port() {
    return node.port();
  }

  List<Route> routes() {
    return node.routes();
  }

  public Answer get(String path, String token) {
    return send(request(path, token).GET());
  }

  public Answer post(String path, String token, String json) {
    Answer answer =
        send(
            request(path, token)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    Description.checkRequest(path, json, answer);
    return answer;
  }

  public Answer post(String path, String token, String contentType, BodyPublisher body) {
    return send(request(path, token).header("content-type", contentType).POST(body));
  }

  public HttpRequest.Builder request(String path, String token) {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    return token.isEmpty() ? request : request.header("x-api-token", token);
  }

  public Answer send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    try {
      var answer = new Answer(CLIENT.send(request, BodyHandlers.ofString()));
      Description.check(request.method(), request.uri().getPath(), answer);
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    node.close();
  }

  /** The answer to a call. */
  public record Answer(HttpResponse<String> response) {
    public int status() {
      return response.statusCode();
    }

    public String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    public String body() {
      return response.body();
    }

    public JsonNode json() {
      return JSON.readTree(response.body());
    }

    /** The code of a problem document. */
    public String code() {
      return json().path("code").asString("");
    }
  }
}
