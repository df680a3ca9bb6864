package dev.mainstay.server.forge;

import java.net.InetAddress;
import java.util.Arrays;

/** The addresses that begin with the same bits: {@code 10.0.0.0/8}, {@code fc00::/7}. */
public record Network(InetAddress first, int bits) {
  /** Reads a network, or one address; refuses what is none by an IllegalArgumentException. */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    InetAddress first = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
    int all = first.getAddress().length * Byte.SIZE;
    int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
    if (bits < 0 || bits > all) {
      throw new IllegalArgumentException("not a network: " + text);
    }
    return new Network(first, bits);
  }

  boolean holds(InetAddress address) {
    byte[] one = first.getAddress();
    byte[] other = address.getAddress();
    int whole = bits / Byte.SIZE;
    int rest = bits % Byte.SIZE;
    return one.length == other.length
        && Arrays.equals(one, 0, whole, other, 0, whole)
        && (rest == 0 || ((one[whole] ^ other[whole]) & 0xff) >> (Byte.SIZE - rest) == 0);
  }
}
