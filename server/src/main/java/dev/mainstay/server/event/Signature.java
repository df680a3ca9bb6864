package dev.mainstay.server.event;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signature of the Standard Webhooks: one for each secret that is good now, in headers under
 * both names that libraries look for.
 */
final class Signature {
  private static final String PREFIX = "whsec_";
  private static final int SECRET_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Signature() {}

  static String newSecret() {
    byte[] bytes = new byte[SECRET_BYTES];
    RANDOM.nextBytes(bytes);
    return PREFIX + Base64.getEncoder().encodeToString(bytes);
  }

  static Map<String, String> headers(String id, Instant now, byte[] body, List<String> secrets) {
    String timestamp = String.valueOf(now.getEpochSecond());
    String signatures =
        secrets.stream()
            .map(secret -> "v1," + sign(secret, id + "." + timestamp + ".", body))
            .collect(Collectors.joining(" "));
    var headers = new LinkedHashMap<String, String>();
    for (String family : List.of("webhook", "svix")) {
      headers.put(family + "-id", id);
      headers.put(family + "-timestamp", timestamp);
      headers.put(family + "-signature", signatures);
    }
    return headers;
  }

  private static String sign(String secret, String before, byte[] body) {
    try {
      byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(before.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
