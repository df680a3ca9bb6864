package dev.mainstay.server.report.json;

import java.util.List;

/** Words of ASCII among the bytes of a document. */
final class RawWords {
  private RawWords() {}

  /** The word that bytes are; empty where they are none. */
  static String find(List<String> words, byte[] bytes, int from, int to) {
    for (int i = 0; i < words.size(); i++) {
      if (is(words.get(i), bytes, from, to)) {
        return words.get(i);
      }
    }
    return "";
  }

  private static boolean is(String word, byte[] bytes, int from, int to) {
    if (word.length() != to - from) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (bytes[from + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
