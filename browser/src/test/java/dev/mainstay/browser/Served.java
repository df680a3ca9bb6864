package dev.mainstay.browser;

import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.Mainstay;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Logs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node in this process, which can be stopped and started again where it was. */
final class Served implements AutoCloseable {
  /** The first key, which may do everything. */
  static final String KEY = "a-key-chosen-by-the-operator-0123456789";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final JsonMapper JSON = new JsonMapper();

  private final Map<Setting, String> settings;
  private Mainstay node;
  private boolean running = true;

  private Served(Map<Setting, String> settings) {
    Logs.configure(Logs.Format.TEXT, "ERROR");
    this.settings = settings;
    this.node = started(settings);
  }

  /** A node with a database of its own. */
  static Served first(Path root) {
    return new Served(settings(root, "first"));
  }

  /** One more node on the database of the first. */
  static Served second(Path root) {
    Database.Address database =
        DataDirectory.at(root.resolve("first")).runningDatabase().orElseThrow();
    var settings = settings(root, "second");
    String user = "postgresql://%s:%s@".formatted(database.user(), database.password());
    settings.put(Setting.DATABASE_URL, database.jdbcUrl().replace("jdbc:postgresql://", user));
    return new Served(settings);
  }

  private static EnumMap<Setting, String> settings(Path root, String name) {
    var settings = new EnumMap<Setting, String>(Setting.class);
    settings.put(Setting.DATA_DIR, root.resolve(name).toString());
    settings.put(Setting.HOST, "127.0.0.1");
    settings.put(Setting.PORT, "0");
    settings.put(Setting.GIT_ROOTS, root.toString());
    settings.put(Setting.DATABASE_CONNECTIONS, "6");
    settings.put(Setting.SHUTDOWN_GRACE, "1");
    settings.put(Setting.ORG, Scene.ORGANIZATION);
    settings.put(Setting.TOKEN, KEY);
    settings.put(Setting.WEBHOOK_NETWORKS, "127.0.0.0/8");
    return settings;
  }

  private static Mainstay started(Map<Setting, String> settings) {
    return Mainstay.start(Config.read(settings, Map.of()), made -> {}, () -> {});
  }

  void stop() {
    settings.put(Setting.PORT, String.valueOf(node.port()));
    node.close();
    running = false;
  }

  /** Starts it where it was, unless it runs. */
  void startAgain() {
    if (!running) {
      node = started(settings);
      running = true;
    }
  }

  String url() {
    return "http://localhost:" + node.port();
  }

  /** Calls the API; single quotes stand for double ones. */
  JsonNode post(String operation, String body) {
    return send(operation, "application/json", body.replace('\'', '"'));
  }

  /** Sends a report of a test run, as CI does. */
  JsonNode upload(String query, String report) {
    return send("test-results?" + query, "application/xml", report);
  }

  private JsonNode send(String path, String type, String body) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/%s".formatted(node.port(), path)))
            .header("x-api-token", KEY)
            .header("content-type", type)
            .POST(BodyPublishers.ofString(body));
    try {
      var answer = CLIENT.send(request.build(), BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IllegalStateException(path + ": " + answer.body());
      }
      return JSON.readTree(answer.body());
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
}
