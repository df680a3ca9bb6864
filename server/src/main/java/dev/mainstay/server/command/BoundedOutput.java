package dev.mainstay.server.command;

import java.nio.charset.StandardCharsets;

/** The first and the last of a long output, and how much was between them. */
final class BoundedOutput {
  private final byte[] head;
  private final byte[] tail;
  private long written;

  BoundedOutput(int capacity) {
    head = new byte[capacity / 2];
    tail = new byte[capacity - head.length];
  }

  synchronized void write(byte[] bytes, int from, int length) {
    int first = Math.clamp(head.length - written, 0, length);
    System.arraycopy(bytes, from, head, (int) Math.min(written, head.length), first);
    for (int i = first; i < length; i++) {
      tail[(int) ((written + i - head.length) % tail.length)] = bytes[from + i];
    }
    written += length;
  }

  synchronized String text() {
    long later = Math.max(0, written - head.length);
    String start = text(head, (int) Math.min(written, head.length));
    if (later <= tail.length) {
      byte[] all = new byte[(int) Math.min(written, head.length) + (int) later];
      System.arraycopy(head, 0, all, 0, all.length - (int) later);
      System.arraycopy(tail, 0, all, all.length - (int) later, (int) later);
      return text(all, all.length);
    }
    byte[] end = new byte[tail.length];
    int oldest = (int) (later % tail.length);
    System.arraycopy(tail, oldest, end, 0, tail.length - oldest);
    System.arraycopy(tail, 0, end, tail.length - oldest, oldest);
    return "%s\n[%d bytes of output are left out here]\n%s"
        .formatted(start, later - tail.length, text(end, end.length));
  }

  private static String text(byte[] bytes, int length) {
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
