package dev.mainstay.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.server.platform.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A hook of GitHub, signed as it signs: something happened in this repository. */
public record GitHubHook(String secret, String path) {
  private static final String ALGORITHM = "HmacSHA256";

  /** The call of it at a node. */
  public HttpRequest.Builder call(String address, String event) {
    byte[] body = body();
    return HttpRequest.newBuilder(URI.create(address + "/hooks/github"))
        .header("content-type", "application/json")
        .header("X-GitHub-Event", event)
        .header("X-Hub-Signature-256", "sha256=" + signature(body))
        .POST(BodyPublishers.ofByteArray(body));
  }

  private byte[] body() {
    var json = Json.object().put("action", "completed");
    json.putObject("repository").put("full_name", path);
    return Json.write(json);
  }

  private String signature(byte[] body) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
