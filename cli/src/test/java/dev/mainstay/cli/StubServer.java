package dev.mainstay.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that records its requests and gives each answer in turn, then always the last. */
public final class StubServer implements AutoCloseable {
  private final HttpServer http;
  private final List<Answer> answers;
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  /** A request as it came. */
  public record Request(String operation, String query, ByteBuffer body) {
    public String text() {
      return operation + " " + StandardCharsets.UTF_8.decode(body.duplicate());
    }
  }

  /** An answer to give. */
  public record Answer(int status, String body) {}

  public StubServer(Answer... answers) throws IOException {
    this.answers = List.of(answers);
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/v1/", this::answer);
    http.createContext("/readyz", this::answer);
    http.start();
  }

  /** A server that always succeeds. */
  public static StubServer of(String... bodies) throws IOException {
    return new StubServer(
        List.of(bodies).stream().map(body -> new Answer(200, body)).toArray(Answer[]::new));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String operation = exchange.getRequestURI().getPath().replace("/v1/", "");
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    ByteBuffer content = ByteBuffer.wrap(exchange.getRequestBody().readAllBytes());
    requests.add(new Request(operation, query, content));
    Answer answer = answers.get(Math.min(requests.size(), answers.size()) - 1);
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  public String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  public List<Request> requests() {
    return List.copyOf(requests);
  }

  /** The last request: its operation and its body. */
  public String last() {
    return requests.getLast().text();
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
