package dev.mainstay.server.forge.rest;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.forge.Networks;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Tracing;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * The API of one host. What it answered with an ETag is remembered and asked for by it. A limit of
 * the host, a refusal of the credentials and no answer are thrown; what else it says is an {@link
 * Answer}. It is never followed to another host.
 */
public final class RestClient implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final int MOST_BYTES = 32 << 20;
  private static final long REMEMBERED_BYTES = 4 << 20;
  private static final int MOST_REDIRECTS = 3;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final Pattern NEXT = Pattern.compile("<([^<>]+)>\\s*;[^<]*rel=\"next\"");

  /** An answer as it came. */
  private static final class Whole {
    final int statusCode;
    final HttpHeaders headers;
    final byte[] body;

    Whole(int statusCode, HttpHeaders headers, byte[] body) {
      this.statusCode = statusCode;
      this.headers = headers;
      this.body = body;
    }

    Optional<String> tag() {
      return headers.firstValue("etag").filter(tag -> statusCode == 200);
    }
  }

  private final URI base;
  private final Supplier<Map<String, String>> headers;
  private final Supplier<Budget> budget;
  private final Usage usage;
  private final Networks networks;
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(LONGEST)
          .followRedirects(HttpClient.Redirect.NEVER)
          .version(HttpClient.Version.HTTP_1_1)
          .build();
  private final Cache<String, Whole> remembered =
      Caffeine.newBuilder()
          .maximumWeight(REMEMBERED_BYTES)
          .weigher((String path, Whole known) -> known.body.length + path.length() + 500)
          .build();

  /**
   * The headers, which hold the credentials of now, and the budget of these are asked for at each
   * request.
   */
  public RestClient(
      URI base,
      Supplier<Map<String, String>> headers,
      Supplier<Budget> budget,
      Usage usage,
      Networks networks) {
    this.networks = networks;
    this.base = base;
    this.headers = headers;
    this.budget = budget;
    this.usage = usage;
  }

  /** For a question or two without credentials. */
  public static RestClient once(URI base, Map<String, String> headers, Networks networks) {
    var budget = new Budget(InstantSource.system(), Budget.Writes.ANY);
    return new RestClient(base, () -> headers, () -> budget, new Usage(), networks);
  }

  public Answer get(String path) {
    return get(at(path), MOST_REDIRECTS, UnaryOperator.identity());
  }

  /** Everything of a list over its pages, at most so many. */
  public List<JsonNode> all(String path, int most) {
    return all(path, most, UnaryOperator.identity());
  }

  /**
   * The same, of which only a part of each is wanted. Hosts tell kilobytes of everything: only that
   * part is remembered, so that a long list can be asked for by its ETags too.
   */
  public List<JsonNode> all(String path, int most, UnaryOperator<JsonNode> part) {
    return find(path, most, part).orElseThrow(() -> unreadable("there is no such list (404)"));
  }

  /** The same of a list that may not be there. */
  public Optional<List<JsonNode>> find(String path, int most, UnaryOperator<JsonNode> part) {
    var all = new ArrayList<JsonNode>();
    Optional<URI> next = Optional.of(at(path));
    while (next.isPresent() && all.size() < most) {
      Answer page = get(next.get(), MOST_REDIRECTS, json -> parts(json, part));
      if (page.status() == 404) {
        return Optional.empty();
      }
      if (!page.ok() || !page.json().isArray()) {
        throw unreadable("%s (%d)".formatted(page.words(), page.status()));
      }
      page.json().forEach(all::add);
      next = next(page);
    }
    return Optional.of(List.copyOf(all.subList(0, Math.min(most, all.size()))));
  }

  private static JsonNode parts(JsonNode json, UnaryOperator<JsonNode> part) {
    if (!json.isArray()) {
      return json;
    }
    ArrayNode parts = Json.object().putArray("all");
    json.forEach(one -> parts.add(part.apply(one)));
    return parts;
  }

  /** Where a list goes on. */
  private Optional<URI> next(Answer page) {
    Matcher link = NEXT.matcher(page.header("link").orElse(""));
    return link.find() ? sameHost(link.group(1)) : Optional.empty();
  }

  public Answer send(String method, String path, JsonNode body) {
    return send(method, at(path), Json.write(body), MOST_REDIRECTS);
  }

  /** Hosts point to the new place of what was renamed, and ask for the same there. */
  private Answer send(String method, URI uri, byte[] body, int redirects) {
    var request = request(uri).header("Content-Type", "application/json");
    Whole response = exchange(request.method(method, BodyPublishers.ofByteArray(body)).build());
    return response.statusCode == 307 || response.statusCode == 308
        ? send(method, elsewhere(response, redirects), body, redirects - 1)
        : answer(response);
  }

  /** The requests so far; nothing is said of limits where there are no credentials. */
  public HostUsage used() {
    try {
      return budget.get().used(usage);
    } catch (CredentialsRefused e) {
      return new HostUsage(
          usage.requests(),
          usage.unchangedAnswers(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          Duration.ZERO);
    }
  }

  private Answer answer(Whole whole) {
    return new Answer(whole.statusCode, json(whole.body), whole.headers.map(), false);
  }

  private Answer get(URI uri, int redirects, UnaryOperator<JsonNode> wanted) {
    var request = request(uri).GET();
    Whole known = remembered.getIfPresent(uri.toString());
    if (known != null) {
      request.header("If-None-Match", known.tag().orElseThrow());
    }
    Whole response = exchange(request.build());
    if (response.statusCode == 304 && known != null) {
      usage.unchanged();
      var newest = new HashMap<>(known.headers.map());
      newest.putAll(response.headers.map());
      return new Answer(known.statusCode, json(known.body), newest, true);
    }
    if (response.statusCode / 100 == 3) {
      return get(elsewhere(response, redirects), redirects - 1, wanted);
    }
    if (response.tag().isEmpty()) {
      return answer(response);
    }
    byte[] body = Json.write(wanted.apply(json(response.body)));
    var read = new Whole(response.statusCode, response.headers, body);
    remembered.put(uri.toString(), read);
    return answer(read);
  }

  private URI elsewhere(Whole response, int redirects) {
    return response
        .headers
        .firstValue("location")
        .flatMap(this::sameHost)
        .filter(there -> redirects > 0)
        .orElseThrow(() -> unreadable("it points elsewhere"));
  }

  private URI at(String path) {
    return URI.create(base.toString().replaceFirst("/+$", "") + path);
  }

  private Optional<URI> sameHost(String address) {
    try {
      URI there = base.resolve(address);
      return base.getScheme().equals(there.getScheme())
              && base.getRawAuthority().equals(there.getRawAuthority())
          ? Optional.of(there)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private HttpRequest.Builder request(URI uri) {
    var request = HttpRequest.newBuilder(uri).timeout(LONGEST);
    headers.get().forEach(request::header);
    return request;
  }

  private Whole exchange(HttpRequest request) {
    networks.allowed(base.getRawAuthority(), base.getScheme().equals("https") ? HTTPS : HTTP);
    Budget now = budget.get();
    now.take(base.getAuthority(), isWrite(request));
    try (var spent = Tracing.asking(request.method() + " " + base.getAuthority())) {
      HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
      spent
          .with("http.request.method", request.method())
          .with("server.address", base.getHost())
          .with("url.path", request.uri().getPath())
          .with("http.response.status_code", response.statusCode());
      byte[] body;
      try (InputStream in = response.body()) {
        body = in.readNBytes(MOST_BYTES + 1);
      }
      if (body.length > MOST_BYTES) {
        throw unreadable("the answer is too large");
      }
      usage.answered();
      Limits.check(base.getAuthority(), response, body, now);
      return new Whole(response.statusCode(), response.headers(), body);
    } catch (IOException e) {
      throw ForgeUnavailable.ofHost(
          "%s does not answer: %s".formatted(base.getAuthority(), Limits.line(e.toString())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ForgeUnavailable.ofHost("The question to %s was broken off.".formatted(base.getHost()));
    }
  }

  /** Questions in GraphQL are posted, and change nothing. */
  private static boolean isWrite(HttpRequest request) {
    return !request.method().equals("GET") && !request.uri().getPath().endsWith("/graphql");
  }

  private JsonNode json(byte[] body) {
    try {
      return body.length == 0 ? Json.object() : Json.read(body);
    } catch (Json.Malformed e) {
      throw unreadable("what it says is no JSON");
    }
  }

  private ForgeUnavailable unreadable(String why) {
    return ForgeUnavailable.ofHost(
        "%s does not answer as its API should: %s.".formatted(base.getAuthority(), why));
  }

  @Override
  public void close() {
    client.close();
  }
}
