package dev.mainstay.cli.api;

import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A Mainstay server, asked over HTTP. A request that it refuses becomes a {@link Refusal} with all
 * that it says about it.
 */
public final class ApiClient {
  private static final String USUAL_ADDRESS = "http://localhost:8080";
  private static final Duration LONGEST_REQUEST = Duration.ofMinutes(2);
  private static final Duration LONGEST_UPLOAD = Duration.ofMinutes(5);
  private static final Set<Integer> WORTH_ANOTHER_TRY = Set.of(408, 425, 429, 500, 502, 503, 504);
  private static final int PIECE = 64 * 1024;
  private static final int LARGEST_PAGE = 100;

  private final HttpClient http;
  private final String server;
  private final String token;

  public ApiClient(String server, String token) {
    this.server = server.replaceFirst("/+$", "");
    this.token = token;
    var builder = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10));
    this.http = (server.startsWith("https") ? builder : builder.sslContext(unused())).build();
  }

  /**
   * For a server that is asked without TLS: to read the certificates that the machine trusts takes
   * longer than to ask.
   */
  private static SSLContext unused() {
    try {
      var nobodyTrusted = SSLContext.getInstance("TLS");
      nobodyTrusted.init(null, new TrustManager[0], null);
      return nobodyTrusted;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The server did not answer, or could not for the moment. */
  public static final class Unreachable extends Exception {
    Unreachable(String why) {
      super(why);
    }
  }

  /** A client by the shell's variables; {@code scopes} tell people which key is wanted. */
  public static ApiClient of(Shell shell, Optional<String> url, String scopes) {
    String token =
        shell
            .variable("MAINSTAY_API_TOKEN")
            .filter(text -> !text.isEmpty())
            .orElseThrow(
                () ->
                    new WrongCall(
                        "Set MAINSTAY_API_TOKEN to a key with the %s.".formatted(scopes)));
    String address = url.or(() -> shell.variable("MAINSTAY_URL")).orElse(USUAL_ADDRESS);
    if (!address.matches("https?://[^/\\s?#]+(/[^\\s?#]*)?")) {
      throw new WrongCall("%s is not an http or https address.".formatted(address));
    }
    return new ApiClient(address, token);
  }

  public String server() {
    return server;
  }

  public String token() {
    return token;
  }

  public ObjectNode post(String operation, Object body) {
    try {
      return tryPost(operation, body);
    } catch (Unreachable e) {
      throw new Refusal("The server %s does not answer: %s".formatted(server, e.getMessage()));
    }
  }

  public ObjectNode tryPost(String operation, Object body) throws Unreachable {
    var request =
        request(operation, "application/json", BodyPublishers.ofByteArray(Json.write(body)))
            .timeout(LONGEST_REQUEST);
    return answer(send(request.build()));
  }

  private static ObjectNode answer(HttpResponse<byte[]> answer) throws Unreachable {
    if (answer.statusCode() == 200) {
      return Json.readObject(answer.body());
    }
    String why = Complaint.of(answer).inFull();
    if (answer.statusCode() >= 500) {
      throw new Unreachable(why);
    }
    throw new Refusal(why);
  }

  /** What an agent's message was answered with. */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  public record Message(int status, byte[] body) {}

  /** Sends an agent's message as it is; whatever is answered is one too. */
  public Message message(byte[] message, Map<String, String> headers) throws Unreachable {
    var request =
        HttpRequest.newBuilder(URI.create(server + "/mcp"))
            .timeout(LONGEST_REQUEST)
            .header("x-api-token", token)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofByteArray(message));
    headers.forEach(request::header);
    HttpResponse<byte[]> answer = send(request.build());
    return new Message(answer.statusCode(), answer.body());
  }

  /** Asks for something that needs no body. */
  public ObjectNode get(String path) {
    var request = builder(path).timeout(LONGEST_REQUEST).GET();
    try {
      return answer(send(request.build()));
    } catch (Unreachable e) {
      throw new Refusal("The server %s does not answer: %s".formatted(server, e.getMessage()));
    }
  }

  /**
   * All pages of a list as one answer, up to so many rows; its {@code nextCursor} stays where there
   * are more.
   */
  public ObjectNode pages(String operation, ObjectNode request, String rows, int limit) {
    ObjectNode all = post(operation, request.put("take", Math.min(limit, LARGEST_PAGE)));
    var list = (ArrayNode) all.path(rows);
    while (all.has("nextCursor") && list.size() < limit) {
      request.put("cursor", all.path("nextCursor").asString());
      request.put("take", Math.min(limit - list.size(), LARGEST_PAGE));
      ObjectNode next = post(operation, request);
      next.path(rows).forEach(list::add);
      all.remove("nextCursor");
      Optional.ofNullable(next.get("nextCursor")).ifPresent(c -> all.set("nextCursor", c));
    }
    return all;
  }

  /** Sends test reports, once; {@code sent} hears how many bytes have gone. */
  public ObjectNode upload(
      Map<String, String> about, List<String> ignore, byte[] reports, IntConsumer sent)
      throws Unreachable {
    var pieces = BodyPublishers.ofByteArrays(() -> pieces(reports, sent));
    var request =
        request(
                "test-results?" + query(about, ignore),
                "application/octet-stream",
                BodyPublishers.fromPublisher(pieces, reports.length))
            .timeout(LONGEST_UPLOAD);
    HttpResponse<byte[]> answer = send(request.build());
    if (answer.statusCode() == 200) {
      return Json.readObject(answer.body());
    }
    String why = Complaint.of(answer).inShort();
    if (WORTH_ANOTHER_TRY.contains(answer.statusCode())) {
      throw new Unreachable(why);
    }
    throw new Refusal("The server refused the results: " + why);
  }

  private HttpRequest.Builder request(String path, String type, BodyPublisher body) {
    return builder(path).header("content-type", type).POST(body);
  }

  private HttpRequest.Builder builder(String path) {
    return HttpRequest.newBuilder(URI.create(server + "/v1/" + path)).header("x-api-token", token);
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws Unreachable {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new Unreachable(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unreachable("interrupted");
    }
  }

  private static String query(Map<String, String> about, List<String> ignore) {
    return Stream.concat(
            about.entrySet().stream(), ignore.stream().map(glob -> Map.entry("ignore", glob)))
        .map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static Iterator<byte[]> pieces(byte[] whole, IntConsumer sent) {
    return IntStream.range(0, (whole.length + PIECE - 1) / PIECE)
        .mapToObj(
            i -> {
              int end = Math.min(whole.length, (i + 1) * PIECE);
              sent.accept(end);
              return Arrays.copyOfRange(whole, i * PIECE, end);
            })
        .iterator();
  }
}
