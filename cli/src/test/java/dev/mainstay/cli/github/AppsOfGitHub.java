package dev.mainstay.cli.github;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.node.ObjectNode;

/** A GitHub of our own that hands out an App for a code, as an Enterprise Server does. */
public final class AppsOfGitHub implements AutoCloseable {
  public static final String SECRET = "s3cr3t-of-hooks";
  public static final String KEY = key();

  private final HttpServer http;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final ObjectNode app;
  private volatile int status = 201;

  AppsOfGitHub() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::answer);
    http.start();
    app =
        Json.object()
            .put("id", 4711)
            .put("slug", "mainstay-acme")
            .put("html_url", address() + "/github-apps/mainstay-acme")
            .put("client_secret", "never-used")
            .put("webhook_secret", SECRET)
            .put("pem", KEY);
  }

  /** A private key in PKCS#1, as GitHub hands it out: what is inside of one in PKCS#8. */
  private static String key() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
      byte[] inside = Arrays.copyOfRange(key, 26, key.length);
      String text = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(inside);
      return "-----BEGIN RSA PRIVATE KEY-----\n%s\n-----END RSA PRIVATE KEY-----\n".formatted(text);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  String address() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** The App that it hands out, to be changed. */
  ObjectNode app() {
    return app;
  }

  /** From now on it answers so, and hands out nothing. */
  void refuse(int answer) {
    status = answer;
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
      byte[] body =
          status == 201 ? Json.write(app) : "{\"message\":\"Not <b>Found</b>\"}".getBytes(UTF_8);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
