package dev.mainstay.server.report;

import dev.mainstay.core.health.text.BoundedText;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads a file of unknown kind. Its content tells the kind; names and content types may lie. */
public final class Reports {
  private static final int SNIFFED = 4096;

  private Reports() {}

  public static void read(InputStream stream, String fileName, ReportSink sink) throws IOException {
    String file = label(fileName);
    var in = new BufferedInputStream(stream, 64 * 1024);
    byte[] start = start(in, SNIFFED);
    switch (firstMeaningful(start)) {
      case '<' -> XmlReports.read(in, file, sink);
      case '{' -> new GoTestJson(file, sink).read(in);
      case -1 -> sink.skipped(new Skipped(file, 0, "the file is empty", true));
      default -> unknown(start, in, file, sink);
    }
  }

  /** The first bytes, which stay to be read; fewer where the stream ends or breaks. */
  static byte[] start(BufferedInputStream in, int length) throws IOException {
    byte[] start = new byte[length];
    int at = 0;
    in.mark(length);
    try {
      int n = 0;
      while (n >= 0 && at < length) {
        n = in.read(start, at, length - at);
        at += Math.max(n, 0);
      }
    } catch (UnpackedTooMuch e) {
      throw e;
    } catch (IOException e) {
      if (at == 0) {
        throw e;
      }
    }
    in.reset();
    return Arrays.copyOf(start, at);
  }

  /** Text may stand before the XML; anything else is not ours. */
  private static void unknown(byte[] start, InputStream in, String file, ReportSink sink)
      throws IOException {
    String text = new String(start, java.nio.charset.StandardCharsets.ISO_8859_1);
    if (text.contains("<?xml") || text.contains("<testsuite") || text.contains("<\0?\0x\0m\0l")) {
      XmlReports.read(in, file, sink);
    } else {
      sink.skipped(new Skipped(file, 0, "this is no test report", false));
    }
  }

  /** The first byte that is neither blank nor part of a byte-order mark nor NUL. */
  private static int firstMeaningful(byte[] start) {
    for (byte b : start) {
      int c = b & 0xff;
      if (c > ' ' && c != 0xef && c != 0xbb && c != 0xbf && c != 0xfe && c != 0xff) {
        return c;
      }
    }
    return start.length == 0 || isBlank(start) ? -1 : 0;
  }

  private static boolean isBlank(byte[] bytes) {
    for (byte b : bytes) {
      if ((b & 0xff) > ' ') {
        return false;
      }
    }
    return true;
  }

  /** A file's name as shown to people. */
  static String label(String name) {
    String clean = Texts.clean(name).replaceAll("[\\r\\n\\t]", " ");
    return clean.isBlank() ? "report" : BoundedText.name(clean, Limits.FILE_LABEL_LENGTH);
  }
}
