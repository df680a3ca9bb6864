package dev.mainstay.server.health.list;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Page tokens, which a client sends back to turn a page: the moment its list was made and the page,
 * signed together with the question, so that a token fits no other one.
 */
final class PageTokens {
  static final int MAX_LENGTH = 200;
  private static final int PLAIN_LENGTH = 20;
  private static final int SIGNATURE_LENGTH = 16;

  private final byte[] secret;

  PageTokens(byte[] secret) {
    this.secret = secret.clone();
  }

  /** A moment, as the list knows it, and a page of it. */
  record Place(UUID moment, int page) {}

  /** {@code question} is all that the list depends on besides the moment. */
  String of(String question, Place place) {
    ByteBuffer token = ByteBuffer.allocate(PLAIN_LENGTH + SIGNATURE_LENGTH);
    token.putLong(place.moment.getMostSignificantBits());
    token.putLong(place.moment.getLeastSignificantBits());
    token.putInt(place.page);
    token.put(signature(question, Arrays.copyOf(token.array(), PLAIN_LENGTH)));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
  }

  /** Empty where a token was made by somebody else, for another question, or is damaged. */
  Optional<Place> read(String question, String token) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    if (bytes.length != PLAIN_LENGTH + SIGNATURE_LENGTH) {
      return Optional.empty();
    }
    byte[] plain = Arrays.copyOf(bytes, PLAIN_LENGTH);
    byte[] signature = Arrays.copyOfRange(bytes, PLAIN_LENGTH, bytes.length);
    if (!MessageDigest.isEqual(signature, signature(question, plain))) {
      return Optional.empty();
    }
    ByteBuffer read = ByteBuffer.wrap(plain);
    return Optional.of(new Place(new UUID(read.getLong(), read.getLong()), read.getInt()));
  }

  private byte[] signature(String question, byte[] plain) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update(plain);
      byte[] hash = mac.doFinal(question.getBytes(StandardCharsets.UTF_8));
      return Arrays.copyOf(hash, SIGNATURE_LENGTH);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
