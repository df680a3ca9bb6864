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
    return open(name, attributes).raw(escaped(PlainText.clean(text, LONGEST_TEXT))).close(name);
  }

  /** What another one wrote. */
  public Svg add(Svg other) {
    out.append(other.out);
    return this;
  }

  private Svg start(String name, Object... attributes) {
    raw("<").raw(name);
    for (int i = 0; i + 1 < attributes.length; i += 2) {
      String attribute = attributes[i].toString();
      String value = attributes[i + 1].toString();
      if (!value.isEmpty()) {
        String safe = attribute.equals("href") ? address(value) : value;
        raw(" ").raw(attribute).raw("=\"");
        raw(escaped(PlainText.clean(safe, attribute.equals("d") ? 1 << 20 : LONGEST_TEXT)));
        raw("\"");
      }
    }
    return this;
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

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
