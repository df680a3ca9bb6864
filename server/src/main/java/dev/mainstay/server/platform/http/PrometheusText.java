package dev.mainstay.server.platform.http;

import java.util.List;
import java.util.Map;

/** Writes metrics as Prometheus reads them: the text exposition format, version 0.0.4. */
public final class PrometheusText {
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder();

  /** Begins a family; all its samples must follow before the next one begins. */
  public PrometheusText family(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  public PrometheusText sample(String name, Map<String, String> labels, Number value) {
    text.append(name).append('{');
    String separator = "";
    for (var label : labels.entrySet()) {
      text.append(separator).append(label.getKey()).append("=\"");
      escape(label.getValue());
      text.append('"');
      separator = ",";
    }
    text.append("} ").append(value).append('\n');
    return this;
  }

  /** A histogram: {@code counts} holds how many values were at most as large as each bound. */
  public PrometheusText histogram(
      String name,
      Map<String, String> labels,
      List<? extends Number> bounds,
      List<? extends Number> counts,
      double sum,
      long count) {
    for (int i = 0; i < bounds.size(); i++) {
      sample(name + "_bucket", with(labels, "le", bounds.get(i).toString()), counts.get(i));
    }
    sample(name + "_bucket", with(labels, "le", "+Inf"), count);
    sample(name + "_sum", labels, sum);
    return sample(name + "_count", labels, count);
  }

  public static Map<String, String> with(Map<String, String> labels, String name, String value) {
    var all = new java.util.LinkedHashMap<>(labels);
    all.put(name, value);
    return all;
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      switch (value.charAt(i)) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(value.charAt(i));
      }
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
