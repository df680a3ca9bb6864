package dev.mainstay.server.forge.git.copy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** A tree as git stores it: names in the order of their bytes, each with what it stands for. */
record Tree(Map<String, Item> items) {
  private static final int SHA_BYTES = 20;
  private static final String DIRECTORY = "40000";
  private static final String SUBMODULE = "160000";

  /** A file or a directory: its mode, and the hash of its content. */
  record Item(String mode, String sha) {
    boolean isDirectory() {
      return mode.equals(DIRECTORY);
    }

    boolean isSubmodule() {
      return mode.equals(SUBMODULE);
    }

    static Item directory(String sha) {
      return new Item(DIRECTORY, sha);
    }

    String text() {
      return mode + " " + sha;
    }
  }

  /** A mode, a blank, a name, a zero byte and a sha, again and again. */
  static Tree parse(byte[] raw) {
    var items = new LinkedHashMap<String, Item>();
    int at = 0;
    while (at < raw.length) {
      int blank = find(raw, at, (byte) ' ');
      int end = find(raw, blank, (byte) 0);
      String mode = new String(raw, at, blank - at, StandardCharsets.ISO_8859_1);
      String name = new String(raw, blank + 1, end - blank - 1, StandardCharsets.ISO_8859_1);
      at = end + 1 + SHA_BYTES;
      if (at > raw.length) {
        throw new CacheBroken("A tree ends in the middle");
      }
      items.put(name, new Item(mode, HexFormat.of().formatHex(raw, end + 1, at)));
    }
    return new Tree(items);
  }

  private static int find(byte[] raw, int from, byte wanted) {
    for (int i = from; i < raw.length; i++) {
      if (raw[i] == wanted) {
        return i;
      }
    }
    throw new CacheBroken("A tree ends in the middle");
  }

  byte[] raw() {
    var raw = new ByteArrayOutputStream();
    items.entrySet().stream()
        .sorted(Comparator.comparing(Tree::place))
        .forEach(
            item -> {
              String head = item.getValue().mode() + " " + item.getKey() + "\0";
              raw.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
              raw.writeBytes(HexFormat.of().parseHex(item.getValue().sha()));
            });
    return raw.toByteArray();
  }

  /** Git sorts directories as if their names ended in a slash. */
  private static String place(Map.Entry<String, Item> item) {
    return item.getValue().isDirectory() ? item.getKey() + "/" : item.getKey();
  }
}
