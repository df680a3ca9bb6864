package dev.mainstay.server.event;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.server.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A receiver of events over real HTTP: each path is an endpoint, with an answer of its own. */
public final class Receiver implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  /** What an endpoint does with a request. */
  public interface Behaviour {
    void answer(HttpExchange exchange, Got got) throws IOException;
  }

  /** A request that arrived. */
  public record Got(String path, Map<String, List<String>> headers, String body) {
    public String header(String name) {
      return headers.entrySet().stream()
          .filter(h -> h.getKey().equalsIgnoreCase(name))
          .map(h -> h.getValue().getFirst())
          .findFirst()
          .orElse("");
    }

    public JsonNode json() {
      return JSON.readTree(body);
    }

    public String type() {
      return json().path("type").asString("");
    }

    public JsonNode data() {
      return json().path("data");
    }

    /** Whether one of the signatures is right, as the Standard Webhooks say. */
    public boolean isSignedBy(String secret) {
      return isSigned("webhook", secret) && isSigned("svix", secret);
    }

    private boolean isSigned(String family, String secret) {
      try {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(
            new SecretKeySpec(
                Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        String signed = header(family + "-id") + "." + header(family + "-timestamp") + "." + body;
        String expected =
            "v1,"
                + Base64.getEncoder()
                    .encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        return Arrays.asList(header(family + "-signature").split(" ", -1)).contains(expected);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final HttpServer server;
  private final List<Got> all = new CopyOnWriteArrayList<>();
  private final Map<String, Behaviour> behaviours = new ConcurrentHashMap<>();

  public Receiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  public static Behaviour status(int status) {
    return (exchange, got) -> exchange.sendResponseHeaders(status, -1);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String path = exchange.getRequestURI().getPath();
      var got = new Got(path, Map.copyOf(exchange.getRequestHeaders()), body);
      all.add(got);
      behaviours.getOrDefault(path, status(204)).answer(exchange, got);
    }
  }

  public String address(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public void behave(String path, Behaviour behaviour) {
    behaviours.put(path, behaviour);
  }

  public List<Got> at(String path) {
    return all.stream().filter(got -> got.path().equals(path)).toList();
  }

  /** Waits until an endpoint got so many requests. */
  public List<Got> await(String path, int count) {
    return Waiting.until(() -> at(path), got -> got.size() >= count);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
