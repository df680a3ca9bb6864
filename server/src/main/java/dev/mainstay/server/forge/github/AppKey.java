package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.platform.Json;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The id and private key of a GitHub App, by which it signs what it asks. Never printed. */
final class AppKey {
  /** Clocks differ: GitHub refuses what is signed in its future. */
  private static final Duration BACK = Duration.ofSeconds(60);

  private static final Duration AHEAD = Duration.ofMinutes(9);

  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END (RSA )?PRIVATE KEY-----");

  /** The version 0, then the algorithm RSA, as every private key of PKCS#8 begins. */
  private static final byte[] RSA = {
    2, 1, 0, 0x30, 13, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 13, 1, 1, 1, 5, 0
  };

  private final String app;
  private final PrivateKey key;

  private AppKey(String app, PrivateKey key) {
    this.app = app;
    this.key = key;
  }

  /** GitHub hands out PKCS#1; PKCS#8 is read as well. */
  static AppKey of(String app, String pem) {
    Matcher parts = PEM.matcher(pem);
    try {
      if (!app.matches("[A-Za-z0-9._-]{1,100}") || !parts.find()) {
        throw unreadable();
      }
      byte[] der = Base64.getMimeDecoder().decode(parts.group(2));
      byte[] whole = parts.group(1) == null ? der : wrapped(der);
      return new AppKey(
          app, KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(whole)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw unreadable();
    }
  }

  private static CredentialsRefused unreadable() {
    return new CredentialsRefused(
        "The id or the private key of the App cannot be read: give the number of the App and the"
            + " whole .pem file that GitHub made for it.");
  }

  private static byte[] wrapped(byte[] key) {
    var inner = new ByteArrayOutputStream();
    inner.writeBytes(RSA);
    inner.writeBytes(part(4, key));
    return part(0x30, inner.toByteArray());
  }

  private static byte[] part(int type, byte[] content) {
    var part = new ByteArrayOutputStream();
    part.write(type);
    int length = content.length;
    if (length < 0x80) {
      part.write(length);
    } else {
      part.write(0x82);
      part.write(length >> 8);
      part.write(length);
    }
    part.writeBytes(content);
    return part.toByteArray();
  }

  /** The signed claim to be the App, good for some minutes. */
  String signed(Instant now) {
    var claims = Json.object().put("iat", now.minus(BACK).getEpochSecond());
    claims.put("exp", now.plus(AHEAD).getEpochSecond()).put("iss", app);
    String text = encoded("{\"alg\":\"RS256\",\"typ\":\"JWT\"}".getBytes(UTF_8));
    text += "." + encoded(Json.write(claims));
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      signature.update(text.getBytes(US_ASCII));
      return text + "." + encoded(signature.sign());
    } catch (GeneralSecurityException e) {
      throw unreadable();
    }
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
