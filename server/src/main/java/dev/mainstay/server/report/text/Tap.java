package dev.mainstay.server.report.text;

import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The Test Anything Protocol, versions 12 to 14. A point with points below it is a suite: it counts
 * itself only where it failed and none of them did. Points below stand before it, or behind it in
 * braces. A plan that promises more points than there are tells of results that are missing.
 */
public final class Tap {
  private static final Pattern FIRST_LINE =
      Pattern.compile(
          "(?:TAP version 1[234]\\b|1\\.\\.\\d{1,9}\\s*(?:#.*)?$|(?:not )?ok (?:\\d{1,9}\\b|- )).*");
  private static final Pattern VERSION = Pattern.compile("(?m)^TAP version 1[234]\\s*$");
  private static final int MOST_LEVELS = 50;
  private static final int MOST_WAITING = 100_000;

  private final RunTeller teller;
  private final Deque<Level> levels = new ArrayDeque<>();
  private TapPoint recent = new TapPoint("", 0, true);
  private boolean inYaml;
  private boolean bailedOut;
  private int line;

  private Tap(RunTeller teller) {
    this.teller = teller;
  }

  /** The points at one indentation, as far as they wait for the point that they are below of. */
  private static final class Level {
    final int indent;
    final List<TapPoint> points = new ArrayList<>();
    final Deque<TapPoint> opened = new ArrayDeque<>();
    long planned = -1;
    long seen;

    Level(int indent) {
      this.indent = indent;
    }
  }

  /** True where the beginning of a file is of this kind. */
  public static boolean isTap(byte[] start) {
    String text = new String(start, StandardCharsets.UTF_8);
    String first = Texts.firstLine(text.startsWith("\ufeff") ? text.substring(1) : text);
    return FIRST_LINE.matcher(first).matches() || VERSION.matcher(text).find();
  }

  public static void read(InputStream in, String file, ReportSink sink) throws IOException {
    var teller = new RunTeller(file, sink);
    teller.isReport();
    var tap = new Tap(teller);
    tap.levels.push(new Level(0));
    var lines = new TextLines(in);
    String last = "";
    for (String line = lines.next(); line != null && teller.goesOn(); line = lines.next()) {
      tap.line(line);
      last = line;
    }
    last = last.strip();
    // A point that is the last line may have lost the brace, or the word, that it ends in.
    boolean torn = lines.isOpen() && (last.startsWith("ok") || last.startsWith("not ok"));
    tap.ends(torn);
  }

  private void line(String whole) {
    line++;
    int indent = 0;
    while (indent < whole.length() && whole.charAt(indent) == ' ') {
      indent++;
    }
    if (inYaml) {
      String text = whole.strip();
      inYaml = !text.equals("...");
      recent.says(text, whole, indent);
    } else if (whole.startsWith("ok", indent)) {
      point(indent, whole, indent + "ok".length(), true);
    } else if (whole.startsWith("not ok", indent)) {
      point(indent, whole, indent + "not ok".length(), false);
    } else if (indent < whole.length()) {
      other(indent, whole.substring(indent));
    }
  }

  private void other(int indent, String text) {
    if (text.startsWith("1..")) {
      plan(indent, text);
    } else if (text.startsWith("---")) {
      inYaml = true;
    } else if (text.startsWith("}")) {
      closes(indent);
    } else if (text.startsWith("Bail out!")) {
      bailedOut = true;
      teller.tellFault("", "Bail out!", text, "");
    } else if (text.startsWith("#") && !text.startsWith("# Subtest")) {
      recent.comments(text);
    }
  }

  private void point(int indent, String whole, int rest, boolean passed) {
    if (rest < whole.length() && whole.charAt(rest) > ' ') {
      return;
    }
    List<TapPoint> below = fold(indent);
    Level level = level(indent);
    level.seen++;
    var point = new TapPoint(whole, rest, passed);
    recent = point;
    if (point.opens()) {
      level.opened.push(point);
      level.points.addAll(below);
    } else {
      add(level, point, below);
    }
  }

  private void closes(int indent) {
    List<TapPoint> below = fold(indent);
    Level level = level(indent);
    if (level.opened.isEmpty()) {
      level.points.addAll(below);
    } else {
      add(level, level.opened.pop(), below);
    }
  }

  /** Adds a point with those below it. */
  private void add(Level level, TapPoint point, List<TapPoint> below) {
    if (level.indent == 0 || level.points.size() + below.size() > MOST_WAITING) {
      tell(level.points);
    }
    boolean anyFailed = false;
    for (TapPoint inner : below) {
      inner.isIn(point.name());
      anyFailed |= inner.hasFailed();
      level.points.add(inner);
    }
    if (below.isEmpty() || (point.hasFailed() && !anyFailed)) {
      level.points.add(point);
    }
  }

  private void plan(int indent, String text) {
    int end = 3;
    while (end < text.length() && end < 12 && Character.isDigit(text.charAt(end))) {
      end++;
    }
    if (end > 3) {
      level(indent).planned = Long.parseLong(text.substring(3, end));
    }
  }

  /** The points of all levels further in, which end here. */
  private List<TapPoint> fold(int indent) {
    if (levels.getFirst().indent <= indent) {
      return List.of();
    }
    var below = new ArrayList<TapPoint>();
    while (levels.size() > 1 && levels.getFirst().indent > indent) {
      Level inner = levels.pop();
      lacks(inner);
      below.addAll(0, inner.points);
      below.addAll(inner.opened);
    }
    return below;
  }

  private Level level(int indent) {
    if (levels.getFirst().indent < indent && levels.size() < MOST_LEVELS) {
      levels.push(new Level(indent));
    }
    return levels.getFirst();
  }

  private void lacks(Level level) {
    if (level.seen < level.planned && !bailedOut) {
      teller.unreadable(
          line, "%d of %d planned tests are there".formatted(level.seen, level.planned));
    }
  }

  private void tell(List<TapPoint> points) {
    for (TapPoint point : points) {
      point.tell(teller);
    }
    points.clear();
  }

  private void ends(boolean torn) {
    List<TapPoint> below = fold(0);
    Level outermost = levels.getFirst();
    boolean open = torn || !outermost.opened.isEmpty() || inYaml;
    outermost.points.addAll(below);
    tell(outermost.points);
    lacks(outermost);
    if (!bailedOut && (open || !below.isEmpty())) {
      teller.unreadable(line, "cut off: it ends inside of a test");
    } else if (outermost.planned < 0 && !bailedOut) {
      teller.unreadable(line, "cut off: there is no plan");
    }
    teller.ends();
  }
}
