package dev.mainstay.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The tables that SQL names, read from texts in which keywords are written in capitals. */
final class Statements {
  private static final Pattern TOKEN = Pattern.compile("'[^']*'|[A-Za-z_]\\w*|\\S");
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*");
  private static final Pattern TEXT =
      Pattern.compile(
          """
          //[^\\n]*|/[*].*?[*]/|'\\\\?.[^']*'\
          |\"""(?<block>.*?)(?<!\\\\)\"""|"(?<text>[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+)\"""",
          Pattern.DOTALL);
  private static final Set<String> BEFORE_NAMES =
      Set.of("FROM", "JOIN", "INTO", "UPDATE", "USING", "COPY", "TABLE", "TRUNCATE");
  private static final Set<String> BETWEEN = Set.of("IF", "NOT", "EXISTS", "ONLY", "LATERAL");

  private Statements() {}

  /** A table at its place in a statement; the name is empty where the text ends or has a blank. */
  record Named(String table, boolean written, boolean created) {}

  static List<Named> read(String sql) {
    List<String> tokens = TOKEN.matcher(sql).results().map(found -> found.group()).toList();
    var named = new ArrayList<Named>();
    for (int i = 0; i < tokens.size(); i++) {
      String before = i == 0 ? "" : tokens.get(i - 1);
      if (BEFORE_NAMES.contains(tokens.get(i)) && !Set.of("FOR", "DO").contains(before)) {
        addFrom(tokens, i, before, named);
      }
    }
    return named;
  }

  /** Adds the table after a keyword, and those of a list with commas. */
  private static void addFrom(List<String> tokens, int keyword, String before, List<Named> named) {
    boolean written =
        Set.of("INTO", "UPDATE", "COPY", "TRUNCATE").contains(tokens.get(keyword))
            || before.equals("DELETE");
    boolean created = Set.of("CREATE", "TEMP").contains(before);
    int at = keyword + 1;
    while (at < tokens.size() && BETWEEN.contains(tokens.get(at))) {
      at++;
    }
    if (at == tokens.size() || tokens.get(at).equals("%")) {
      named.add(new Named("", written, created));
      return;
    }
    while (at < tokens.size() && NAME.matcher(tokens.get(at)).matches()) {
      named.add(new Named(tokens.get(at), written, created));
      at++;
      if (at < tokens.size() && tokens.get(at).equals("AS")) {
        at++;
      }
      if (at < tokens.size() && NAME.matcher(tokens.get(at)).matches()) {
        at++;
      }
      if (at == tokens.size() || !tokens.get(at).equals(",")) {
        return;
      }
      at++;
    }
  }

  /** The texts in a Java source, without its comments. */
  static List<String> texts(String java) {
    var texts = new ArrayList<String>();
    var found = TEXT.matcher(java);
    while (found.find()) {
      if (found.group("block") != null) {
        texts.add(found.group("block"));
      } else if (found.group("text") != null) {
        texts.add(found.group("text"));
      }
    }
    return texts;
  }
}
