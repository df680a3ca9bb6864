package dev.mainstay.bench;

import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.Storage;
import dev.mainstay.server.access.KeyRing;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Logs;
import dev.mainstay.server.platform.http.HttpServer;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.platform.http.Surface;
import dev.mainstay.server.platform.http.V1;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The service's own door, keys and database, with one endpoint behind them that does nothing, and
 * one that reads a row by its primary key.
 */
final class NoOpServer {
  private NoOpServer() {}

  public static void main(String[] args) throws InterruptedException {
    Logs.configure(Logs.Format.TEXT, "INFO");
    var storage = Storage.ofCommand(Config.read(Map.of(Setting.DATA_DIR, args[0]), Map.of()));
    Runtime.getRuntime().addShutdownHook(new Thread(storage::close));
    var keys = new KeyRing(storage.database(), Clock.systemUTC());
    var server =
        HttpServer.start(
            new HttpServer.Options(
                "127.0.0.1", 0, 2000, Duration.ofSeconds(15), Duration.ofSeconds(1)),
            List.of(V1.surface(keys::authenticate), Surface.open()),
            List.of(
                Route.get("/v1/nothing", Scope.READ, request -> Reply.nothing()),
                Route.post("/v1/row", Scope.READ, request -> row(storage.database(), request))));
    System.out.println("listens on http://127.0.0.1:" + server.port());
    Thread.currentThread().join();
  }

  private static Reply row(Database database, Request request) {
    var in = request.fields();
    int repository = in.integer("repository", 1, Integer.MAX_VALUE);
    UUID test = in.uuid("test");
    in.check();
    String name =
        database.query(
            handle ->
                handle
                    .select(
                        "SELECT name FROM test WHERE repository_id = ? AND id = ?",
                        repository,
                        test)
                    .mapTo(String.class)
                    .one());
    return Reply.json(Map.of("name", name));
  }
}
