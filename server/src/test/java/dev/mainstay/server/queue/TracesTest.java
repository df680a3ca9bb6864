package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.TestDatabase;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node beside a collector of traces, set up by the standard variables alone. */
class TracesTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";
  private static final String QUEUE =
      "{'repo':{'host':'git.example','owner':'acme','name':'shop'},'targetBranch':'main'%s}";

  private final Path place = TestDatabase.openDirectory();
  private final List<Span> spans = new CopyOnWriteArrayList<>();
  private final List<String> services = new CopyOnWriteArrayList<>();
  private HttpServer collector;

  @BeforeEach
  void collect() throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext("/v1/traces", this::take);
    collector.start();
  }

  @AfterEach
  void stop() {
    collector.stop(0);
    TestDatabase.delete(place);
  }

  private void take(HttpExchange exchange) throws IOException {
    var request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
    for (var resource : request.getResourceSpansList()) {
      services.add(attributes(resource.getResource().getAttributesList()).get("service.name"));
      resource.getScopeSpansList().forEach(scope -> spans.addAll(scope.getSpansList()));
    }
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private NodeProcess node() throws IOException {
    return NodeProcess.start(
        TestDatabase.withTables(),
        place.resolve("data"),
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "http://127.0.0.1:" + collector.getAddress().getPort(),
            "OTEL_BSP_SCHEDULE_DELAY",
            "50"));
  }

  private Span collected(Predicate<Span> wanted) {
    return until(() -> spans.stream().filter(wanted).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  private static Map<String, String> attributes(List<KeyValue> all) {
    return all.stream().collect(toMap(KeyValue::getKey, a -> text(a.getValue())));
  }

  private static String text(AnyValue value) {
    return value.hasIntValue() ? String.valueOf(value.getIntValue()) : value.getStringValue();
  }

  private static String hex(ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }

  @Test
  void requests_join_the_trace_of_their_caller_and_work_begins_its_own() throws Exception {
    try (NodeProcess node = node();
        var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:%d/v1/whoami?a=secret".formatted(node.port())))
              .header("x-api-token", NodeProcess.TOKEN)
              .header("x-request-id", "it-is-i")
              .header("traceparent", "00-%s-%s-01".formatted(TRACE, CALLER));
      assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      Span asked = collected(span -> span.getName().equals("GET /v1/whoami"));
      assertThat(hex(asked.getTraceId())).isEqualTo(TRACE);
      assertThat(hex(asked.getParentSpanId())).isEqualTo(CALLER);
      assertThat(asked.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_SERVER);
      assertThat(attributes(asked.getAttributesList()))
          .containsEntry("http.response.status_code", "200")
          .containsEntry("http.route", "/v1/whoami")
          .containsEntry("mainstay.request_id", "it-is-i");

      node.ok("keys/list", "{}");
      Span listed = collected(span -> span.getName().equals("POST /v1/keys/list"));
      assertThat(hex(listed.getTraceId())).isNotEqualTo(TRACE);
      Span database = collected(span -> span.getParentSpanId().equals(listed.getSpanId()));
      assertThat(database.getName()).isEqualTo("database");

      var git = new TestRepository(place);
      git.open(7, "cart", "1");
      node.ok("connectRepository", QUEUE.formatted(",'address':'%s'".formatted(git.address())));
      node.ok("createQueue", QUEUE.formatted(",'requiredStatuses':[]"));
      node.ok("submitPullRequest", QUEUE.formatted(",'pr':{'number':7}"));
      Span work = collected(span -> span.getName().equals("action StartRun"));
      assertThat(work.getParentSpanId().isEmpty()).isTrue();
      assertThat(attributes(work.getAttributesList())).containsKey("mainstay.queue");
    }
    assertThat(services).isNotEmpty().containsOnly("mainstay");
    assertThat(spans.toString()).doesNotContain(NodeProcess.TOKEN).doesNotContain("secret");
    assertThat(spans).as("no trace of what a node does all the time").noneMatch(this::isAlone);
  }

  private boolean isAlone(Span span) {
    return span.getName().equals("database") && span.getParentSpanId().isEmpty();
  }

  @Test
  void what_cannot_be_sent_is_said_at_the_start() throws Exception {
    assertThat(
            NodeProcess.refusal(
                OpenDirectories.create(),
                Map.of("OTEL_TRACES_EXPORTER", "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL", "carrier")))
        .contains("Traces cannot be sent as the variables OTEL_… say")
        .contains("carrier");
  }
}
