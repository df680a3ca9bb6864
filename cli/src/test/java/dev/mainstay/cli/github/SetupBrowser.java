package dev.mainstay.cli.github;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The browser of who sets up an App: reads the page, and comes back from GitHub. */
final class SetupBrowser {
  private static final Pattern FORM =
      Pattern.compile(
          "(?s)<form method=\"post\" action=\"([^\"]*)\">\\s*<input type=\"hidden\""
              + " name=\"manifest\" value=\"([^\"]*)\">\\s*<button>[^<]+</button>\\s*</form>");

  /** An answer as it came. */
  record Shown(int status, String text) {}

  private final URI address;

  SetupBrowser(String address) {
    this.address = URI.create(address);
  }

  URI address() {
    return address;
  }

  /** The page with the button. */
  Shown open() throws IOException {
    return get(address.getPath());
  }

  /** The address that the button posts to. */
  URI target() throws IOException {
    return URI.create(form().group(1).replace("&amp;", "&"));
  }

  /** The App that the button proposes. */
  JsonNode manifest() throws IOException {
    String text = form().group(2).replace("&quot;", "\"").replace("&#39;", "'");
    text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    return Json.read(text.getBytes(UTF_8));
  }

  private Matcher form() throws IOException {
    Matcher form = FORM.matcher(open().text());
    assertThat(form.find()).isTrue();
    return form;
  }

  /** Comes back as GitHub sends it, with this code. */
  Shown comeBack(String code) throws IOException {
    return get("/made?code=%s&%s".formatted(code, target().getRawQuery()));
  }

  Shown get(String path) throws IOException {
    return ask("GET", path, address.getAuthority());
  }

  /** Asks by a socket: a client of HTTP does not let its user choose the host. */
  Shown ask(String method, String path, String host) throws IOException {
    try (var socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), address.getPort())) {
      String request =
          "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(method, path, host);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 ");
      return new Shown(Integer.parseInt(answer.substring(9, 12)), answer);
    }
  }
}
