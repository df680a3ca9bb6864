package dev.mainstay.server.platform;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** The addresses that begin with the same bits: {@code 10.0.0.0/8}, {@code fc00::/7}. */
public record Network(InetAddress first, int bits) {
  /** Networks with commas between them; refuses what are none by an IllegalArgumentException. */
  public static List<Network> list(String text) {
    return Arrays.stream(text.strip().split("\\s*,\\s*", -1)).map(Network::parse).toList();
  }

  /** Reads a network, or one address; refuses what is none by an IllegalArgumentException. */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
    int all = address.getAddress().length * Byte.SIZE;
    int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
    if (bits < 0 || bits > all) {
      throw new IllegalArgumentException("not a network: " + text);
    }
    return of(address, bits);
  }

  /** The network of so many bits that an address is in. */
  public static Network of(InetAddress address, int bits) {
    byte[] first = address.getAddress();
    for (int i = 0; i < first.length; i++) {
      int kept = Math.clamp(bits - i * (long) Byte.SIZE, 0, Byte.SIZE);
      first[i] &= (byte) (0xff << (Byte.SIZE - kept));
    }
    try {
      return new Network(InetAddress.getByAddress(first), bits);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  public boolean holds(InetAddress address) {
    return address.getAddress().length == first.getAddress().length
        && of(address, bits).first.equals(first);
  }
}
