package dev.mainstay.server.platform.http;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A network of addresses: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or one address alone. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record Cidr(byte[] address, int bits) {

  /** Networks with commas between them; throws {@link IllegalArgumentException}. */
  public static List<Cidr> list(String text) {
    var networks = new ArrayList<Cidr>();
    for (String one : text.split(",", -1)) {
      networks.add(parse(one.strip()));
    }
    return networks;
  }

  private static Cidr parse(String text) {
    String[] parts = text.split("/", 2);
    byte[] address = InetAddress.ofLiteral(parts[0]).getAddress();
    int all = address.length * Byte.SIZE;
    int bits = parts.length < 2 ? all : Integer.parseInt(parts[1]);
    if (bits < 0 || bits > all) {
      throw new IllegalArgumentException("no network of %d bits".formatted(bits));
    }
    return new Cidr(prefix(address, bits), bits);
  }

  boolean contains(InetAddress other) {
    byte[] bytes = other.getAddress();
    return bytes.length == address.length && Arrays.equals(prefix(bytes, bits), address);
  }

  /** The address with all but its first bits cleared. */
  static byte[] prefix(byte[] address, int bits) {
    byte[] prefix = address.clone();
    for (int i = 0; i < prefix.length; i++) {
      int kept = Math.clamp(bits - i * (long) Byte.SIZE, 0, Byte.SIZE);
      prefix[i] &= (byte) (0xff << (Byte.SIZE - kept));
    }
    return prefix;
  }
}
