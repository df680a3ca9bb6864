package dev.mainstay.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Somebody with a browser: keeps the cookie, follows nothing by itself, sends forms as browsers do.
 */
public final class Visitor {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Pattern TOKEN = Pattern.compile("name=\"form_token\" value=\"([^\"]+)\"");

  private final int port;
  private Optional<String> cookie = Optional.empty();

  private Visitor(int port) {
    this.port = port;
  }

  public static Visitor stranger(TestNode node) {
    return new Visitor(node.port());
  }

  /** Signs in with a key through the page. */
  public static Visitor signedIn(TestNode node, String key) {
    return signedIn(node.port(), key);
  }

  /** The same at whoever listens at this port. */
  public static Visitor signedIn(int port, String key) {
    var visitor = new Visitor(port);
    Seen seen = visitor.send("/sign-in", Map.of("key", key, "to", "/"));
    assertThat(seen.status()).as(seen.body()).isEqualTo(303);
    return visitor;
  }

  /** The same browser at another node. */
  public Visitor at(TestNode node) {
    var visitor = new Visitor(node.port());
    visitor.cookie = cookie.map(c -> c.replace("-" + port + "=", "-" + node.port() + "="));
    return visitor;
  }

  /** An answer as a browser sees it. */
  public record Seen(int status, String body, HttpResponse<?> answer) {
    public String header(String name) {
      return answer.headers().firstValue(name).orElse("");
    }

    /** The token of the forms on this page. */
    public String token() {
      var found = TOKEN.matcher(body);
      return found.find() ? found.group(1) : "";
    }
  }

  private HttpRequest.Builder request(String path) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("accept", "text/html");
    cookie.ifPresent(c -> request.header("cookie", c));
    return request;
  }

  public Seen look(String path) {
    return look(path, Map.of());
  }

  public Seen look(String path, Map<String, String> headers) {
    var request = request(path).GET();
    headers.forEach(request::header);
    return seen(request);
  }

  /** Sends a form that was on a page of ours. */
  public Seen send(String path, Map<String, String> fields) {
    return send(path, fields, Map.of("sec-fetch-site", "same-origin"));
  }

  public Seen send(String path, Map<String, String> fields, Map<String, String> headers) {
    var request = request(path).header("content-type", "application/x-www-form-urlencoded");
    headers.forEach(request::header);
    return seen(request.POST(BodyPublishers.ofString(encoded(fields))));
  }

  /** Sends a form of a page, with its token. */
  public Seen act(String page, String path, Map<String, String> fields) {
    var all = new java.util.HashMap<>(fields);
    all.put("form_token", look(page).token());
    return send(path, all);
  }

  private static String encoded(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(f -> encoded(f.getKey()) + "=" + encoded(f.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private Seen seen(HttpRequest.Builder request) {
    HttpResponse<String> answer = sent(request, BodyHandlers.ofString());
    answer
        .headers()
        .firstValue("set-cookie")
        .ifPresent(c -> cookie = Optional.of(c.split(";", -1)[0]));
    return new Seen(answer.statusCode(), answer.body(), answer);
  }

  private static <T> HttpResponse<T> sent(
      HttpRequest.Builder request, HttpResponse.BodyHandler<T> how) {
    try {
      return CLIENT.send(request.build(), how);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The stream that a page names; its events come one by one. */
  public Stream follow(String page) {
    String body = look(page).body();
    var found = Pattern.compile("name=\"mainstay-live\" content=\"([^\"]+)\"").matcher(body);
    assertThat(found.find()).as(body).isTrue();
    return followAt(found.group(1));
  }

  /** The stream at an address as a page has it. */
  public Stream followAt(String address) {
    return new Stream(
        sent(request(address.replace("&amp;", "&")).GET(), BodyHandlers.ofInputStream()));
  }

  /** Events as they come. */
  public static final class Stream implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final HttpResponse<InputStream> answer;
    private final BufferedReader reader;

    Stream(HttpResponse<InputStream> answer) {
      this.answer = answer;
      this.reader =
          new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    }

    public int status() {
      return answer.statusCode();
    }

    /** The name of the next event; empty where the stream has ended. */
    public String next() {
      var read = new FutureTask<>(this::read);
      Thread.ofVirtual().start(read);
      try {
        return read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new AssertionError("no event came within " + PATIENCE, e);
      }
    }

    private String read() {
      try {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          if (line.startsWith("event: ")) {
            return line.substring("event: ".length());
          }
        }
        return "";
      } catch (IOException e) {
        return "";
      }
    }

    @Override
    public void close() {
      try {
        answer.body().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
