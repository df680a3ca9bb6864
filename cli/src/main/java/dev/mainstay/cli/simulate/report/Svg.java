package dev.mainstay.cli.simulate.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A drawing in the making: a few shapes are all that the charts need. */
final class Svg {
  /** Colours that people who see colours differently can tell apart (Okabe and Ito). */
  static final List<String> COLOURS =
      List.of(
          "#0072b2", "#e69f00", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#7a6a00", "#666666",
          "#a0306f", "#1b1b1b");

  static final String INK = "#1f2933";
  static final String FAINT = "#5b6770";
  static final String GRID = "#dde2e7";

  private static final String PAPER = "#ffffff";

  /** Where the page is dark, what is drawn in the first colour is shown in the second. */
  private static final Map<String, String> IN_THE_DARK =
      Map.of(
          PAPER, "#0d1117", INK, "#e6edf3", FAINT, "#9aa7b2", GRID, "#2a313a", "#0072b2", "#4ba3e3",
          "#7a6a00", "#c9b458", "#666666", "#a3a3a3", "#a0306f", "#d670a5", "#1b1b1b", "#d0d0d0");

  private final StringBuilder body = new StringBuilder();
  private final double width;
  private final double height;

  Svg(double width, double height) {
    this.width = width;
    this.height = height;
  }

  /** The end of a text that stands at its place. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  static String colour(int index) {
    return COLOURS.get(index % COLOURS.size());
  }

  void rectangle(double x, double y, double w, double h, String fill, String title) {
    add(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"2\" fill=\"%s\"><title>%s</title></rect>"
            .formatted(n(x), n(y), n(w), n(h), fill, escaped(title)));
  }

  void line(double x1, double y1, double x2, double y2, String stroke) {
    add(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"/>"
            .formatted(n(x1), n(y1), n(x2), n(y2), stroke));
  }

  void path(List<double[]> points, String stroke, String title) {
    String joined =
        points.stream().map(p -> n(p[0]) + "," + n(p[1])).collect(Collectors.joining(" "));
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"><title>%s</title></polyline>"
            .formatted(joined, stroke, escaped(title)));
  }

  void dot(double x, double y, String fill, String title) {
    dot(x, y, 2.5, fill, title);
  }

  void dot(double x, double y, double radius, String fill, String title) {
    add(
        "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\"><title>%s</title></circle>"
            .formatted(n(x), n(y), n(radius), fill, escaped(title)));
  }

  void text(double x, double y, Anchor anchor, int size, String fill, String text) {
    add(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" font-size=\"%s\" fill=\"%s\">%s</text>"
            .formatted(
                n(x), n(y), anchor.name().toLowerCase(Locale.ROOT), size, fill, escaped(text)));
  }

  void turnedText(double x, double y, int size, String fill, String text) {
    add(
        "<text transform=\"translate(%s %s) rotate(-90)\" text-anchor=\"middle\" font-size=\"%s\" fill=\"%s\">%s</text>"
            .formatted(n(x), n(y), size, fill, escaped(text)));
  }

  private void add(String shape) {
    body.append("  ").append(shape).append('\n');
  }

  private static String n(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replaceAll("[\\x00-\\x1f]", " ");
  }

  @Override
  public String toString() {
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" \
        font-family="system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif" role="img">
          <style>@media (prefers-color-scheme: dark) {%s}</style>
          <rect width="100%%" height="100%%" fill="%s"/>
        %s</svg>
        """
        .formatted(n(width), n(height), n(width), n(height), dark(), PAPER, body);
  }

  /** Rules of a style come before the attributes that name colours. */
  private static String dark() {
    return IN_THE_DARK.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            pair ->
                "[fill=\"%1$s\"]{fill:%2$s}[stroke=\"%1$s\"]{stroke:%2$s}"
                    .formatted(pair.getKey(), pair.getValue()))
        .collect(Collectors.joining());
  }
}
