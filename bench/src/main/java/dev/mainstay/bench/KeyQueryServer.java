package dev.mainstay.bench;

import dev.mainstay.server.access.KeyRing;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Logs;
import dev.mainstay.server.platform.http.HttpServer;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.platform.http.Surface;
import dev.mainstay.server.platform.http.V1;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The service's own door, and behind it one endpoint that asks for one row by its key. */
final class KeyQueryServer {
  private static final int CONNECTIONS = 16;

  private KeyQueryServer() {}

  public static void main(String[] args) throws InterruptedException {
    Logs.configure(Logs.Format.TEXT, "INFO");
    var data = DataDirectory.at(Path.of(args[0]));
    var database = Database.connect(data.runningDatabase().orElseThrow(), CONNECTIONS);
    var keys = new KeyRing(database, Clock.systemUTC());
    var server =
        HttpServer.start(
            new HttpServer.Options(
                "127.0.0.1", 0, 2000, Duration.ofSeconds(15), Duration.ofSeconds(1)),
            List.of(V1.surface(keys::authenticate), Surface.open()),
            List.of(
                Route.post(
                    "/v1/row",
                    Scope.READ,
                    request -> {
                      request.fields();
                      return Reply.json(
                          database.query(
                              handle ->
                                  handle
                                      .createQuery(
                                          "SELECT id, slug, name FROM organization WHERE id = 1")
                                      .mapToMap()
                                      .one()));
                    })));
    System.out.println("listens on http://127.0.0.1:" + server.port());
    Thread.currentThread().join();
  }
}
