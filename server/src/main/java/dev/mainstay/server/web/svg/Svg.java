package dev.mainstay.server.web.svg;

/** Writes elements of a picture: every value and every text is escaped, links lead nowhere else. */
public final class Svg {
  private static final int LONGEST_TEXT = 600;

  private final StringBuilder out = new StringBuilder();

  /** Opens an element; attributes are names and values by turns, and empty values are left out. */
  public Svg open(String name, Object... attributes) {
    return start(name, attributes).raw(">");
  }

  public Svg close(String name) {
    return raw("</").raw(name).raw(">");
  }

  /** An element with nothing in it. */
  public Svg leaf(String name, Object... attributes) {
    return start(name, attributes).raw("/>");
  }

  /** An element with text in it. */
  public Svg text(String name, String text, Object... attributes) {
    return open(name, attributes).escaped(PlainText.clean(text, LONGEST_TEXT)).close(name);
  }

  /** What another one wrote. */
  public Svg add(Svg other) {
    out.append(other.out);
    return this;
  }

  private Svg start(String name, Object... attributes) {
    raw("<").raw(name);
    for (int i = 0; i + 1 < attributes.length; i += 2) {
      attribute(attributes[i].toString(), attributes[i + 1]);
    }
    return this;
  }

  private void attribute(String name, Object value) {
    if (value instanceof Integer number) {
      raw(" ").raw(name).raw("=\"");
      out.append(number.intValue()).append('"');
      return;
    }
    String text = value.toString();
    if (!text.isEmpty()) {
      String safe = name.equals("href") ? address(text) : text;
      raw(" ").raw(name).raw("=\"");
      escaped(PlainText.clean(safe, name.equals("d") ? 1 << 20 : LONGEST_TEXT)).raw("\"");
    }
  }

  /** Addresses of this site and of the web; anything else, such as a script, leads nowhere. */
  static String address(String href) {
    boolean ours = href.startsWith("/") || href.startsWith("?") || href.startsWith("#");
    boolean web = href.startsWith("https://") || href.startsWith("http://");
    return ours || web ? href : "#";
  }

  private Svg raw(String text) {
    out.append(text);
    return this;
  }

  private Svg escaped(String text) {
    int written = 0;
    for (int i = 0; i < text.length(); i++) {
      String instead =
          switch (text.charAt(i)) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            default -> "";
          };
      if (!instead.isEmpty()) {
        out.append(text, written, i).append(instead);
        written = i + 1;
      }
    }
    out.append(text, written, text.length());
    return this;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
