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
  private byte[] buffer = new byte[FIRST_BUFFER];
  private int length;
  private boolean cut;
  private int line;
  private int unreadable;

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
      int begin = 0;
      for (int i = scanned; i < length && teller.goesOn(); i++) {
        if (buffer[i] == '\n') {
          line(begin, i);
          begin = i + 1;
        }
      }
      System.arraycopy(buffer, begin, buffer, 0, length - begin);
      length -= begin;
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
      if (length > 0) {
        line(0, length);
      }
      format.ends(line, teller);
      teller.ends();
    }
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

  private void line(int from, int to) {
    line++;
    boolean whole = !cut;
    cut = false;
    int begin = from;
    while (begin < to && (buffer[begin] == ' ' || buffer[begin] == '\t')) {
      begin++;
    }
    if (begin == to || buffer[begin] != '{') {
      return;
    }
    if (!whole && format.mayBeTooLong(new String(buffer, begin, START_OF_LINE, ISO_8859_1))) {
      return;
    }
    try (JsonParser json = JsonParsers.of(buffer, begin, to - begin)) {
      json.nextToken();
      format.read(new JsonCursor(json), teller);
    } catch (JacksonException e) {
      if (unreadable++ == 0) {
        teller.unreadable(
            line,
            whole
                ? "this line is not a JSON object"
                : "this line is longer than %d bytes".formatted(Limits.LINE_BYTES));
      }
    }
  }
}
