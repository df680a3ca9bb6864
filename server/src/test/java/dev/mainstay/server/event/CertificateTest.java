package dev.mainstay.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Endpoints over https: what the Java machine of the node trusts is sent to, and nothing else. */
class CertificateTest {
  private static final String PASSWORD = "changeit";

  @TempDir Path dir;

  /** A key with a certificate that it signed itself, of localhost. */
  private Path selfSigned(String name) throws Exception {
    Path store = dir.resolve(name + ".p12");
    keytool(
        "-genkeypair -alias own -keyalg EC -dname CN=%s -ext SAN=dns:localhost -validity 30 -keystore %s"
            .formatted(name, store));
    return store;
  }

  private static void keytool(String arguments) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments.split(" ", -1)));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(words).isZero();
  }

  private static HttpsServer serve(Path store) throws IOException, GeneralSecurityException {
    var keys = KeyStore.getInstance("PKCS12");
    try (var in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    var context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
          }
        });
    server.start();
    return server;
  }

  private static JsonNode sent(NodeProcess node, String address) throws Exception {
    String id =
        node.ok("webhooks/create", "{'url':'%s'}".formatted(address)).at("/webhook/id").asString();
    return node.ok("webhooks/test", "{'id':'%s'}".formatted(id)).path("attempt");
  }

  @Test
  void a_certificate_that_is_not_trusted_or_of_another_name_is_refused_and_said() throws Exception {
    Path known = selfSigned("known");
    Path trust = dir.resolve("trust.p12");
    Path certificate = dir.resolve("known.pem");
    keytool("-exportcert -rfc -alias own -keystore %s -file %s".formatted(known, certificate));
    keytool(
        "-importcert -noprompt -alias known -file %s -keystore %s".formatted(certificate, trust));
    var variables =
        Map.of(
            Setting.WEBHOOK_NETWORKS.variable(),
            "127.0.0.0/8",
            "JDK_JAVA_OPTIONS",
            "-Djavax.net.ssl.trustStore=%s -Djavax.net.ssl.trustStorePassword=%s"
                .formatted(trust, PASSWORD));
    HttpsServer trusted = serve(known);
    HttpsServer stranger = serve(selfSigned("stranger"));
    try (NodeProcess node =
        NodeProcess.start(TestDatabase.withTables(), OpenDirectories.create(), variables)) {
      int port = trusted.getAddress().getPort();
      assertThat(sent(node, "https://localhost:" + port + "/x").path("outcome").asString())
          .isEqualTo("delivered");
      JsonNode refused =
          sent(node, "https://localhost:%d/x".formatted(stranger.getAddress().getPort()));
      assertThat(refused.path("outcome").asString()).isEqualTo("failed");
      assertThat(refused.path("message").asString())
          .startsWith("The certificate of the endpoint is not trusted here: ")
          .contains("certification path");
      assertThat(sent(node, "https://127.0.0.1:" + port + "/x").path("message").asString())
          .startsWith("The certificate of the endpoint is not trusted here: ")
          .contains("127.0.0.1");
    } finally {
      trusted.stop(0);
      stranger.stop(0);
    }
  }
}
