package dev.mainstay.server.report.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.RunTeller;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

/**
 * A file with a JSON object on each line. Other lines are passed over, as builds and programs write
 * among them; of lines that begin like an object and are none the first is told.
 */
final class JsonLines {
  private static final int FIRST_BUFFER = 64 * 1024;
  private static final int START_OF_LINE = 100;

  private final JsonFormat format;
  private final RunTeller teller;
  private final LineShapes shapes = new LineShapes();
  private final LineCursor lineCursor = new LineCursor();
  private byte[] buffer = new byte[FIRST_BUFFER];
  private int length;
  private boolean cut;
  private int line;
  private int unreadable;

  /** The index behind the line of a known shape at which the cursor is already; -1 for none. */
  private int atLine = -1;

  private JsonLines(JsonFormat format, RunTeller teller) {
    this.format = format;
    this.teller = teller;
  }

  static void read(InputStream in, JsonFormat format, RunTeller teller) throws IOException {
    new JsonLines(format, teller).read(in);
  }

  private void read(InputStream in) throws IOException {
    int scanned = 0;
    while (teller.goesOn()) {
      int end = behindLastLine(scanned);
      lines(0, end);
      System.arraycopy(buffer, end, buffer, 0, length - end);
      length -= end;
      scanned = length;
      makeRoom();
      scanned = Math.min(scanned, length);
      int n = in.read(buffer, length, buffer.length - length);
      if (n < 0) {
        break;
      }
      length += n;
    }
    if (teller.goesOn()) {
      lines(0, length);
      format.ends(length > 0 ? line + 1 : line, teller);
      teller.ends();
    }
  }

  /** Where the last line that is there whole ends; up to an index there is no end of a line. */
  private int behindLastLine(int scanned) {
    int end = length;
    while (end > scanned && buffer[end - 1] != '\n') {
      end--;
    }
    return end == scanned ? 0 : end;
  }

  /** Of a line that is too long its beginning stays. */
  private void makeRoom() {
    if (length < buffer.length) {
      return;
    }
    if (buffer.length < Limits.LINE_BYTES) {
      buffer = Arrays.copyOf(buffer, Math.min(2 * buffer.length, Limits.LINE_BYTES));
    } else {
      cut = true;
      length = Limits.LINE_BYTES / 2;
    }
  }

  private void lines(int from, int to) {
    int at = behindSpace(from, to);
    while (at < to && teller.goesOn()) {
      int end = cut ? -1 : shaped(at, to);
      if (end < 0) {
        boolean isObject = buffer[at] == '{' && !(cut && mayBeTooLong(at));
        end = isObject ? objects(at, to) : behindLine(at, to);
      }
      at = behindSpace(end, to);
      cut = false;
    }
  }

  /** Reads a line of a known shape. Returns the index behind its object, or -1. */
  private int shaped(int at, int to) {
    int end = atLine < 0 ? behindShaped(at, to) : atLine;
    atLine = -1;
    if (end >= 0) {
      format.read(lineCursor, teller);
    }
    return end;
  }

  private int behindShaped(int at, int to) {
    return shapes.help() && buffer[at] == '{' ? shapes.match(buffer, at, to, lineCursor) : -1;
  }

  private boolean mayBeTooLong(int begin) {
    return format.mayBeTooLong(new String(buffer, begin, START_OF_LINE, ISO_8859_1));
  }

  /**
   * Reads an object and those that follow it with nothing but blanks between them, all by one
   * parser, up to one whose shape is known. Returns the index behind the last of them, or behind
   * the line of one that is none.
   */
  private int objects(int from, int to) {
    int at = from;
    var bytes = JsonBytes.of(buffer, from, to - from);
    try (JsonParser json = bytes.parser()) {
      var cursor = new ParserCursor(json, bytes);
      do {
        json.nextToken();
        format.read(cursor, teller);
        long offset = json.currentLocation().getByteOffset();
        if (offset < 0) {
          // Its bytes look like another encoding than that of the file.
          return behindLine(at, to);
        }
        int end = from + (int) offset;
        if (shapes.learn()) {
          shapes.learn(buffer, at, end);
        }
        at = behindSpace(end, to);
        atLine = at < to ? behindShaped(at, to) : -1;
      } while (at < to && buffer[at] == '{' && teller.goesOn() && atLine < 0);
      return at;
    } catch (JacksonException e) {
      if (unreadable++ == 0) {
        teller.unreadable(
            line + 1,
            cut && at == from
                ? "this line is longer than %d bytes".formatted(Limits.LINE_BYTES)
                : "this line is not a JSON object");
      }
      return behindLine(at, to);
    }
  }

  private int behindLine(int from, int to) {
    int at = from;
    while (at < to && buffer[at] != '\n') {
      at++;
    }
    return at;
  }

  private int behindSpace(int from, int to) {
    int at = from;
    while (at < to && buffer[at] <= ' ' && buffer[at] >= 0) {
      line += buffer[at] == '\n' ? 1 : 0;
      at++;
    }
    return at;
  }
}
