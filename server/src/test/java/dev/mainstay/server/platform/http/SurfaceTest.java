package dev.mainstay.server.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three surfaces over the same routes' handlers, called over HTTP. */
class SurfaceTest {
  private static final Caller CALLER = new Caller(1, "default", new UUID(0, 1), Set.of(Scope.READ));

  private final HttpClient client = HttpClient.newHttpClient();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void start() {
    var other =
        new Surface(
            "/other/v1",
            arrival -> arrival.header("x-other").filter("good"::equals).map(proof -> CALLER),
            Map.of("x-surface", "other"),
            (error, arrival, requestId) -> Reply.text(error.status(), "no: " + error.code()),
            value ->
                new String(Json.write(value), UTF_8).replace("state", "STATE").getBytes(UTF_8));
    server =
        HttpServer.start(
            new HttpServer.Options(
                "127.0.0.1", 0, 50, Duration.ofSeconds(15), Duration.ofSeconds(10)),
            List.of(
                Surface.open(),
                V1.surface(token -> token.equals("good") ? Optional.of(CALLER) : Optional.empty()),
                other),
            List.of(
                Route.get("/v1/state", Scope.READ, request -> state()),
                Route.get("/other/v1/state", request -> state()),
                Route.get("/other/v1/refused", request -> refused()),
                Route.get("/o/{org}/{path...}/queues/{branch}", SurfaceTest::echo),
                Route.get(
                    "/o/{org}/settings/queues/{branch}", request -> Reply.text(200, "settings")),
                Route.post("/o/{org}/{path...}/queues/{branch}", request -> Reply.nothing()),
                Route.get("/o/acme/shop/queues/main", request -> Reply.text(200, "exact")),
                Route.get("/stream", request -> Reply.stream("text/plain", this::twoParts)),
                Route.get("/broken", request -> Reply.stream("text/plain", SurfaceTest::breaksOff)),
                Route.get(
                    "/unwritable", request -> Reply.json(new Unwritable(SurfaceTest::noRows)))));
  }

  @AfterEach
  void stop() {
    goOn.countDown();
    server.close();
    client.close();
  }

  private static Reply state() {
    return Reply.json(Map.of("state", 1));
  }

  private static Iterator<String> noRows() {
    throw new IllegalStateException("secret SELECT");
  }

  private static Reply refused() {
    throw ApiError.conflict("not_now", "Later.");
  }

  private static Reply echo(Request request) {
    return Reply.text(
        200,
        "%s|%s|%s".formatted(request.path("org"), request.path("path"), request.path("branch")));
  }

  private void twoParts(OutputStream out) throws IOException {
    out.write("first,".getBytes(UTF_8));
    out.flush();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    out.write("second".getBytes(UTF_8));
  }

  private static void breaksOff(OutputStream out) throws IOException {
    out.write("half".getBytes(UTF_8));
    out.flush();
    throw new IllegalStateException("broken on purpose");
  }

  /** The JSON library asks for the text. */
  record Unwritable(Iterable<String> rows) {}

  @Test
  void each_surface_has_its_own_words_headers_and_proof() throws Exception {
    var v1 = get("/v1/state", "x-api-token", "good");
    assertThat(v1.body()).isEqualTo("{\"state\":1}");
    assertThat(v1.headers().firstValue("cache-control")).contains("no-store");
    assertThat(v1.headers().firstValue("x-surface")).isEmpty();
    var other = get("/other/v1/state", "x-other", "good");
    assertThat(other.body()).isEqualTo("{\"STATE\":1}");
    assertThat(other.headers().firstValue("x-surface")).contains("other");
    assertThat(other.headers().firstValue("cache-control")).isEmpty();
    assertThat(other.headers().firstValue("x-request-id")).isPresent();
    assertThat(get("/v1/state", "x-other", "good").statusCode()).isEqualTo(401);
  }

  @Test
  void each_surface_writes_its_own_errors() throws Exception {
    assertThat(get("/other/v1/refused").body()).isEqualTo("no: not_now");
    assertThat(get("/other/v1/nothing").body()).isEqualTo("no: unknown_path");
    assertThat(get("/nothing").body()).contains("\"code\":\"unknown_path\"");
    assertThat(get("/v1x").statusCode()).as("a path is covered by whole segments").isEqualTo(404);
    assertThat(get("/v1").statusCode()).isEqualTo(401);
  }

  @Test
  void parameters_of_a_path_are_decoded_one_by_one() throws Exception {
    assertThat(get("/o/acme/a/b/c/queues/release%2F1.0+x").body())
        .isEqualTo("acme|a/b/c|release/1.0+x");
    assertThat(get("/o/caf%C3%A9/h/queues/m").body()).isEqualTo("café|h|m");
    assertThat(get("/o/acme/queues/main").statusCode()).isEqualTo(404);
    assertThat(get("/o/acme/h/queues/").statusCode()).isEqualTo(404);
    assertThat(get("/o/acme/h/queues/main/more").statusCode()).isEqualTo(404);
  }

  @Test
  void more_that_is_written_out_goes_first() throws Exception {
    assertThat(get("/o/acme/settings/queues/main").body()).isEqualTo("settings");
    assertThat(get("/o/acme/shop/queues/main").body()).isEqualTo("exact");
    assertThat(get("/o/acme/shop/queues/dev").body()).isEqualTo("acme|shop|dev");
  }

  @Test
  void another_method_of_a_path_with_parameters_is_405() throws Exception {
    var request = request("/o/acme/h/queues/main").DELETE().build();
    var answer = client.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow")).contains("GET, POST");
  }

  @Test
  void two_routes_of_one_shape_are_refused_at_the_start() {
    Route one = Route.get("/a/{b}", request -> Reply.nothing());
    Route two = Route.get("/a/{c}", request -> Reply.nothing());
    assertThatThrownBy(() -> new Routes(List.of(one, two)))
        .hasMessageContaining("two routes for GET /a/{c}");
  }

  @Test
  void a_stream_is_read_while_it_is_made() throws Exception {
    HttpResponse<InputStream> answer =
        client.send(request("/stream").build(), BodyHandlers.ofInputStream());
    assertThat(answer.body().readNBytes(6)).isEqualTo("first,".getBytes(UTF_8));
    goOn.countDown();
    assertThat(answer.body().readAllBytes()).isEqualTo("second".getBytes(UTF_8));
  }

  @Test
  void a_stream_that_breaks_off_does_not_look_whole() throws Exception {
    HttpResponse<InputStream> answer =
        client.send(request("/broken").build(), BodyHandlers.ofInputStream());
    assertThat(answer.body().readNBytes(4)).isEqualTo("half".getBytes(UTF_8));
    assertThatThrownBy(() -> answer.body().readAllBytes()).isInstanceOf(IOException.class);
  }

  @Test
  void a_head_of_a_stream_makes_none_of_it() throws Exception {
    var head = request("/stream").method("HEAD", HttpRequest.BodyPublishers.noBody()).build();
    assertThat(client.send(head, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  @Test
  void a_value_that_cannot_be_written_is_our_fault_and_tells_nothing() throws Exception {
    var answer = get("/unwritable");
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).contains("internal_error").doesNotContain("SELECT");
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    var request = request(path);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
