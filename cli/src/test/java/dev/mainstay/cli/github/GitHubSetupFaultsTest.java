package dev.mainstay.cli.github;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strangers at the door, and a GitHub that does not answer as it should. */
class GitHubSetupFaultsTest extends SetupScene {
  @Test
  void what_a_stranger_sends_changes_nothing() throws Exception {
    var command = start();
    var browser = new SetupBrowser(command.awaitSeen());
    String state = browser.target().getRawQuery();
    String good = "/made?code=%s&%s".formatted(CODE, state);
    assertThat(browser.ask("GET", good, "evil.example").status()).isEqualTo(421);
    assertThat(browser.ask("GET", good, "localhost:" + browser.address().getPort()).status())
        .isEqualTo(421);
    assertThat(browser.ask("GET", browser.address().getPath(), "evil.example").text())
        .doesNotContain("manifest")
        .doesNotContain(state);
    assertThat(browser.ask("POST", good, browser.address().getAuthority()).status()).isEqualTo(405);
    assertThat(browser.get("/").status()).isEqualTo(404);
    assertThat(browser.get("/" + "0".repeat(48)).status()).isEqualTo(404);
    assertThat(browser.get("/favicon.ico").text()).doesNotContain(state);
    assertThat(browser.get("/made").status()).isEqualTo(403);
    assertThat(browser.get("/made?code=" + CODE).status()).isEqualTo(403);
    assertThat(browser.get("/made?state=&code=" + CODE).status()).isEqualTo(403);
    assertThat(browser.get("/made?state=%s&code=%s".formatted("0".repeat(48), CODE)).status())
        .isEqualTo(403);
    assertThat(browser.get(good + "&" + state).status()).isEqualTo(403);
    assertThat(browser.get("/made?" + state).status()).isEqualTo(400);
    assertThat(browser.get(good + "&code=" + CODE).status()).isEqualTo(400);
    assertThat(github.requests()).isEmpty();
    assertThat(files()).isEmpty();
    assertThat(command.hasEnded()).isFalse();
    assertThat(browser.comeBack(CODE).status()).isEqualTo(200);
    assertThat(command.end().exitCode()).isZero();
    assertThat(github.requests()).hasSize(1);
  }

  @Test
  void an_odd_code_never_reaches_github() throws Exception {
    var command = start();
    var browser = new SetupBrowser(command.awaitSeen());
    for (String code : List.of("", "a%2F..%2Fb", "a/b", "a.b", "a+b", "%00", "a".repeat(201))) {
      assertThat(browser.comeBack(code).status()).as(code).isEqualTo(400);
    }
    assertThat(github.requests()).isEmpty();
    browser.comeBack("a".repeat(200));
    assertThat(command.end().exitCode()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "404, a code works once",
    "403, does not allow this",
    "422, status 422",
    "302, status 302",
    "500, answers with status 500"
  })
  void a_conversion_that_is_refused_is_told_on_the_page_and_by_the_command(
      int status, String sentence) throws Exception {
    github.refuse(status);
    var command = start();
    var shown = new SetupBrowser(command.awaitSeen()).comeBack(CODE);
    assertThat(shown.status()).isEqualTo(502);
    assertThat(shown.text()).contains(sentence).doesNotContain("<b>");
    var ran = command.end();
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err().lines())
        .singleElement()
        .asString()
        .startsWith("mainstay: 127.0.0.1:")
        .contains(sentence)
        .contains("Nothing was stored.")
        .contains(github.address() + "/settings/apps");
    assertThat(files()).isEmpty();
    assertNoSecret(ran);
  }

  @ParameterizedTest
  @CsvSource({
    "slug, ../../etc",
    "slug, Mainstay",
    "slug, ''",
    "id, -1",
    "id, words",
    "html_url, https://evil.example/apps/x",
    "html_url, GITHUB.evil.example/apps/x",
    "html_url, GITHUB@evil.example/apps/x",
    "html_url, GITHUB/apps/x?y",
    "html_url, GITHUB/apps/\u001b[2J",
    "html_url, javascript:alert(1)",
    "pem, no key",
    "pem, -----BEGIN RSA PRIVATE KEY-----AAAA-----END RSA PRIVATE KEY-----",
    "webhook_secret, ''",
    "webhook_secret, two words"
  })
  void what_github_says_is_checked_before_anything_is_stored(String field, String value)
      throws Exception {
    github.app().put(field, value.replace("GITHUB", github.address()));
    var command = start();
    var shown = new SetupBrowser(command.awaitSeen()).comeBack(CODE);
    assertThat(shown.text()).contains("the %s of the App cannot be used".formatted(field));
    assertThat(command.end().exitCode()).isEqualTo(1);
    assertThat(files()).isEmpty();
  }

  @Test
  void a_port_that_is_taken_is_told() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      var ran =
          Cli.in(directory)
              .run("github setup --url %s --port %d".formatted(URL, taken.getLocalPort()));
      assertThat(ran.exitCode()).isEqualTo(1);
      assertThat(ran.err()).contains("Port %d of this machine".formatted(taken.getLocalPort()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--url mainstay.example.com",
        "--url ftp://mainstay.example.com",
        "--url https://a:b@mainstay.example.com",
        "--url https://mainstay.example.com/?x",
        "--url https://a --github http://github.com",
        "--url https://a --github https://github.com/acme",
        "--url https://a --github https://git\"hub.com",
        "--url https://a --github https://github.com:99999",
        "--url https://a --org a/b",
        "--url https://a --name aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "--url https://a --port 80",
        "--url https://a --patience 0",
        "--url https://a --patience 61",
        "--org acme"
      })
  void a_wrong_call_is_told_before_anything_is_opened(String options) {
    var ran = Cli.in(directory).run("github setup " + options);
    assertThat(ran.exitCode()).as(ran.out()).isEqualTo(2);
    assertThat(ran.err()).startsWith("mainstay: ");
    assertThat(ran.out()).isEmpty();
  }
}
