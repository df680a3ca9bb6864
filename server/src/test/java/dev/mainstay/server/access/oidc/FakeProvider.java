package dev.mainstay.server.access.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * An identity provider on this machine, over HTTP and with real signatures. Tests say what it says
 * of people, how it signs that, and in what else it lies.
 */
public final class FakeProvider implements AutoCloseable {
  public static final String CLIENT = "mainstay";
  public static final String SECRET = "a secret: with %2F signs";
  static final RSAKey KEY = newKey();

  /** A key of somebody else, by the same name. */
  static final RSAKey OTHER_KEY = newKey();

  private static final HttpClient BROWSER = HttpClient.newHttpClient();

  private final HttpServer server;
  private final Clock clock;
  private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
  public UnaryOperator<JWTClaimsSet.Builder> claims = UnaryOperator.identity();
  Function<JWTClaimsSet, JWT> signer = all -> signed(all, KEY);
  UnaryOperator<String> discovery = UnaryOperator.identity();
  boolean forgetsUsedCodes = true;

  public FakeProvider(Clock clock) {
    this.clock = clock;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/team/.well-known/openid-configuration", this::discover);
    server.createContext("/team/authorize", this::authorize);
    server.createContext("/team/token", this::token);
    server.createContext(
        "/team/keys", e -> answer(e, 200, new JWKSet(KEY.toPublicJWK()).toString()));
    server.createContext("/huge", e -> answer(e, 200, "x".repeat(BoundedHttp.MOST_BYTES + 1)));
    server.createContext("/whole", e -> answer(e, 200, "x".repeat(BoundedHttp.MOST_BYTES)));
    server.createContext("/silent", FakeProvider::beginAndStop);
    server.createContext("/away", this::lead);
    server.start();
  }

  public String issuer() {
    return at("/team");
  }

  String at(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  /** A browser that signs in at the page: the address that it is sent back to. */
  public URI visit(URI page) {
    try {
      var answer = BROWSER.send(HttpRequest.newBuilder(page).build(), BodyHandlers.discarding());
      return URI.create(answer.headers().firstValue("location").orElseThrow());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static RSAKey newKey() {
    try {
      return new RSAKeyGenerator(2048).keyID("the-key").generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static JWT signed(JWTClaimsSet claims, RSAKey key) {
    var header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build();
    var token = new SignedJWT(header, claims);
    try {
      token.sign(new RSASSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return token;
  }

  private void discover(HttpExchange exchange) throws IOException {
    var answer = Json.object().put("issuer", issuer());
    answer.put("authorization_endpoint", at("/team/authorize"));
    answer.put("token_endpoint", at("/team/token")).put("jwks_uri", at("/team/keys"));
    answer.putArray("response_types_supported").add("code");
    answer.putArray("subject_types_supported").add("public");
    answer.putArray("id_token_signing_alg_values_supported").add("RS256");
    answer.putArray("scopes_supported").add("openid").add("groups");
    answer(exchange, 200, discovery.apply(answer.toString()));
  }

  private void authorize(HttpExchange exchange) throws IOException {
    Map<String, String> asked = form(exchange.getRequestURI().getRawQuery());
    String code = "code-" + codes.size();
    codes.put(code, asked);
    exchange
        .getResponseHeaders()
        .add(
            "location",
            "%s?code=%s&state=%s&iss=%s"
                .formatted(asked.get("redirect_uri"), code, asked.get("state"), issuer()));
    exchange.sendResponseHeaders(302, -1);
    exchange.close();
  }

  private void token(HttpExchange exchange) throws IOException {
    Map<String, String> sent =
        form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    String code = sent.getOrDefault("code", "");
    Map<String, String> asked = codes.getOrDefault(code, Map.of());
    String challenge =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(Sha256.of(sent.getOrDefault("code_verifier", "")));
    boolean good =
        isClient(exchange)
            && challenge.equals(asked.get("code_challenge"))
            && "S256".equals(asked.get("code_challenge_method"))
            && sent.getOrDefault("redirect_uri", "").equals(asked.get("redirect_uri"));
    if (forgetsUsedCodes) {
      codes.remove(code);
    }
    if (!good) {
      answer(exchange, 400, "{\"error\":\"invalid_grant\"}");
      return;
    }
    var token =
        new JWTClaimsSet.Builder()
            .issuer(issuer())
            .audience(CLIENT)
            .subject("ann-1")
            .claim("name", "Ann")
            .claim("email", "ann@example.com")
            .claim("groups", List.of("eng", "all"))
            .claim("nonce", asked.get("nonce"))
            .issueTime(Date.from(clock.instant()))
            .expirationTime(Date.from(clock.instant().plusSeconds(300)));
    JWT id = signer.apply(claims.apply(token).build());
    var answer = Json.object().put("access_token", "unused").put("token_type", "Bearer");
    answer(exchange, 200, answer.put("id_token", id.serialize()).toString());
  }

  private static boolean isClient(HttpExchange exchange) {
    String header = exchange.getRequestHeaders().getFirst("authorization");
    if (header == null || !header.startsWith("Basic ")) {
      return false;
    }
    String[] parts =
        new String(Base64.getDecoder().decode(header.substring(6)), StandardCharsets.UTF_8)
            .split(":", 2);
    return CLIENT.equals(decoded(parts[0])) && SECRET.equals(decoded(parts[1]));
  }

  /** The beginning of an answer whose end never comes, until the other side gives up. */
  private static void beginAndStop(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 1000);
    exchange.getResponseBody().write('{');
    exchange.getResponseBody().flush();
  }

  private void lead(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().add("location", at("/whole"));
    exchange.sendResponseHeaders(302, -1);
    exchange.close();
  }

  static Map<String, String> form(String text) {
    return Arrays.stream(text.split("&"))
        .map(pair -> pair.split("=", 2))
        .collect(Collectors.toMap(pair -> pair[0], pair -> decoded(pair[1])));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
