package dev.mainstay.cli.github;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.server.forge.github.NewApp;
import dev.mainstay.server.platform.Vault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A small web server for one browser of this machine: it shows a page, and takes the code with
 * which GitHub sends the browser back, once. Other users of the machine reach it too, so the page
 * is at a path that only who started the command knows.
 */
final class SetupDoor implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String BACK = "/made";
  private static final Duration FOR_THE_LAST_PAGE = Duration.ofSeconds(5);

  /** Nothing is loaded from elsewhere, kept, or shown in somebody else's frame. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Type", "text/html; charset=utf-8",
          "Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
          "X-Frame-Options", "DENY",
          "X-Content-Type-Options", "nosniff",
          "Referrer-Policy", "strict-origin-when-cross-origin",
          "Cache-Control", "no-store");

  /** A browser that came back with a code, and waits for the last page. */
  static final class Visit {
    private final String code;
    private final CompletableFuture<SetupPage> page = new CompletableFuture<>();
    private final CountDownLatch shown = new CountDownLatch(1);

    private Visit(String code) {
      this.code = code;
    }

    String code() {
      return code;
    }

    /** Shows the last page; a later one is not shown. */
    void show(SetupPage last) throws InterruptedException {
      page.complete(last);
      // A browser that went away is not waited for.
      boolean _ = shown.await(FOR_THE_LAST_PAGE.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final String start = "/" + Vault.token();
  private final String state = Vault.token();
  private final AtomicBoolean taken = new AtomicBoolean();
  private final BlockingQueue<Visit> visits = new LinkedBlockingQueue<>();

  private SetupDoor(HttpServer http) {
    this.http = http;
  }

  /** A door at this port, or at any that is free where it is 0. Nobody is let in yet. */
  static SetupDoor at(int port) {
    try {
      var address = new InetSocketAddress(InetAddress.ofLiteral(LOOPBACK), port);
      return new SetupDoor(HttpServer.create(address, 0));
    } catch (IOException e) {
      throw new Refusal("Port %d of this machine cannot be had: give another.".formatted(port));
    }
  }

  int port() {
    return http.getAddress().getPort();
  }

  /** The address to open in a browser. */
  String address() {
    return origin() + start;
  }

  /** The address to which GitHub is to send the browser back. */
  String back() {
    return origin() + BACK;
  }

  /** The word by which GitHub's answer is known to belong to our question. */
  String state() {
    return state;
  }

  private String origin() {
    return "http://" + authority();
  }

  private String authority() {
    return LOOPBACK + ":" + port();
  }

  /** Lets browsers in, to this page. */
  void open(SetupPage page) {
    http.createContext("/", exchange -> answer(exchange, page));
    http.setExecutor(threads);
    http.start();
  }

  /** Waits for the browser that comes back with a code. */
  Optional<Visit> await(Duration patience) throws InterruptedException {
    return Optional.ofNullable(visits.poll(patience.toMillis(), TimeUnit.MILLISECONDS));
  }

  private void answer(HttpExchange exchange, SetupPage first) throws IOException {
    Optional<SetupPage> refusal = refusal(exchange);
    String path = String.valueOf(exchange.getRequestURI().getRawPath());
    if (refusal.isPresent()) {
      write(exchange, refusal.get());
    } else if (isSame(path, start)) {
      write(exchange, first);
    } else if (path.equals(BACK)) {
      back(exchange);
    } else {
      write(exchange, SetupPage.refused(404, "Not found", "There is nothing here."));
    }
  }

  /** A name other than ours is a page elsewhere that had its name changed to this address. */
  private Optional<SetupPage> refusal(HttpExchange exchange) {
    List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
    if (!hosts.equals(List.of(authority()))) {
      return Optional.of(
          SetupPage.refused(421, "Refused", "This page is at %s only.".formatted(origin())));
    }
    return exchange.getRequestMethod().equals("GET")
        ? Optional.empty()
        : Optional.of(SetupPage.refused(405, "Refused", "This page can only be read."));
  }

  private void back(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getRawQuery();
    Optional<String> code = parameter(query, "code").filter(NewApp::isCode);
    if (!isSame(parameter(query, "state").orElse(""), state)) {
      write(
          exchange,
          SetupPage.refused(
              403,
              "Refused",
              "This does not belong to the question that was asked, and nothing was done. Begin at"
                  + " the address that the command shows."));
    } else if (code.isEmpty()) {
      write(exchange, SetupPage.refused(400, "Refused", "GitHub's code is missing or unreadable."));
    } else if (taken.compareAndSet(false, true)) {
      take(exchange, new Visit(code.get()));
    } else {
      write(exchange, SetupPage.refused(409, "Refused", "This was answered already."));
    }
  }

  private void take(HttpExchange exchange, Visit visit) throws IOException {
    visits.add(visit);
    try {
      write(exchange, visit.page.join());
    } finally {
      visit.shown.countDown();
    }
  }

  /**
   * The value of a parameter that is there once. Values with escaped characters are none of ours.
   */
  private static Optional<String> parameter(@Nullable String query, String name) {
    String start = name + "=";
    List<String> values =
        Arrays.stream(String.valueOf(query).split("&", -1))
            .filter(pair -> pair.startsWith(start))
            .map(pair -> pair.substring(start.length()))
            .toList();
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }

  private static boolean isSame(String given, String wanted) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
  }

  private static void write(HttpExchange exchange, SetupPage page) throws IOException {
    try (exchange) {
      HEADERS.forEach(exchange.getResponseHeaders()::set);
      byte[] body = page.html().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(page.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
