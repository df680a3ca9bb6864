package dev.mainstay.server.command;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Blots secrets out of a stream on its way into an output. The end of what came is kept back where
 * a secret may have begun in it.
 */
final class Scrubber {
  private static final byte[] BLOT = "***".getBytes(StandardCharsets.UTF_8);

  private final BoundedOutput output;
  private final List<byte[]> secrets;
  private final boolean[] begins = new boolean[256];
  private byte[] kept = new byte[0];

  Scrubber(BoundedOutput output, List<String> secrets) {
    this.output = output;
    this.secrets =
        secrets.stream()
            .map(secret -> secret.getBytes(StandardCharsets.UTF_8))
            .sorted(Comparator.comparingInt((byte[] secret) -> secret.length).reversed())
            .toList();
    this.secrets.forEach(secret -> begins[secret[0] & 0xff] = true);
  }

  void write(byte[] bytes, int length) {
    byte[] all = new byte[kept.length + length];
    System.arraycopy(kept, 0, all, 0, kept.length);
    System.arraycopy(bytes, 0, all, kept.length, length);
    kept = pass(all, true);
  }

  /** Lets out what was kept back: nothing comes any more. */
  void end() {
    kept = pass(kept, false);
  }

  /** Passes bytes on and returns the rest, in which a secret may have begun. */
  private byte[] pass(byte[] all, boolean more) {
    int clear = 0;
    int at = 0;
    while (at < all.length) {
      int hit = begins[all[at] & 0xff] ? secretAt(all, at, more) : 0;
      if (hit == 0) {
        at++;
        continue;
      }
      output.write(all, clear, at - clear);
      if (hit < 0) {
        return Arrays.copyOfRange(all, at, all.length);
      }
      output.write(BLOT, 0, BLOT.length);
      at += hit;
      clear = at;
    }
    output.write(all, clear, all.length - clear);
    return new byte[0];
  }

  /** The length of the secret here; 0 where there is none, negative where one may begin. */
  private int secretAt(byte[] all, int at, boolean more) {
    for (byte[] secret : secrets) {
      int shared = Math.min(secret.length, all.length - at);
      boolean same = Arrays.equals(secret, 0, shared, all, at, at + shared);
      if (same && shared == secret.length) {
        return shared;
      }
      if (same && more) {
        return -1;
      }
    }
    return 0;
  }
}
