package dev.mainstay.server.access.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node behind a proxy that speaks https to the world, and that the node trusts. */
class BehindProxyTest {
  private static final String FORM = "application/x-www-form-urlencoded";

  @TempDir private Path directory;

  @Test
  void addresses_cookies_and_forms_are_those_of_the_proxy() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), FakeProvider.SECRET + "\n");
    try (var provider = new FakeProvider(new MovableClock());
        var node =
            TestNode.start(
                Map.of(
                    Setting.TRUSTED_PROXIES,
                    "127.0.0.0/8",
                    Setting.OIDC_ISSUER,
                    provider.issuer(),
                    Setting.OIDC_CLIENT_ID,
                    FakeProvider.CLIENT,
                    Setting.OIDC_CLIENT_SECRET_FILE,
                    secret.toString(),
                    Setting.OIDC_ROLES,
                    "admin=ops"))) {
      String asked =
          "{\"repo\":{\"host\":\"github.com\",\"owner\":\"acme\",\"name\":\"shop\"},\"orgUrlSlug\":\"default\"}";
      var bundle =
          send(
              node,
              "/trunk/v1/metrics/createBundleUpload",
              request ->
                  request
                      .header("x-api-token", node.token())
                      .header("content-type", "application/json")
                      .POST(BodyPublishers.ofString(asked)));
      assertThat(bundle.body()).contains("\"url\":\"https://ci.example/bundles?");

      var signedIn =
          send(
              node,
              "/sign-in",
              request ->
                  request
                      .header("origin", "https://ci.example")
                      .header("content-type", FORM)
                      .POST(BodyPublishers.ofString("to=/&key=" + node.token())));
      assertThat(signedIn.statusCode()).as(signedIn.body()).isEqualTo(303);
      assertThat(signedIn.headers().firstValue("set-cookie").orElse(""))
          .startsWith("__Host-mainstay=")
          .endsWith("; Secure");

      var away = send(node, "/sign-in/oidc", HttpRequest.Builder::GET);
      assertThat(away.headers().firstValue("location").orElse(""))
          .contains("redirect_uri=https%3A%2F%2Fci.example%2Fsign-in%2Foidc%2Fcallback");
    }
  }

  private interface Filling {
    HttpRequest.Builder of(HttpRequest.Builder request);
  }

  private static HttpResponse<String> send(TestNode node, String path, Filling filling)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(node.port(), path)))
            .header("x-forwarded-proto", "https")
            .header("x-forwarded-host", "ci.example");
    try (var client = HttpClient.newHttpClient()) {
      return client.send(filling.of(request).build(), BodyHandlers.ofString());
    }
  }
}
