package dev.mainstay.server.platform.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a {@code multipart/form-data} body. They are slices of the body, not copies. */
public final class Multipart {
  private static final Pattern BOUNDARY =
      Pattern.compile(
          "(?i)multipart/form-data.*;\\s*boundary=(?:\"([^\"]{1,200})\"|([^\\s;\"]{1,200})).*");
  private static final Pattern NAME = parameter("name");
  private static final Pattern FILE_NAME = parameter("filename");
  private static final int MAX_PARTS = 20_000;
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final byte[] HEADERS_END = {'\r', '\n', '\r', '\n'};

  /** One part; a part with a file name is a file. */
  @SuppressWarnings("ArrayRecordComponent") // A slice, never compared.
  public record Part(String name, Optional<String> fileName, byte[] body, int offset, int length) {

    public String text() {
      return new String(body, offset, length, StandardCharsets.UTF_8);
    }
  }

  private Multipart() {}

  public static boolean isMultipart(String contentType) {
    return contentType.toLowerCase(Locale.ROOT).startsWith("multipart/");
  }

  /** The parts of a body, or a 400 that says what is wrong with it. */
  public static List<Part> parts(String contentType, byte[] body) {
    Matcher matcher = BOUNDARY.matcher(contentType);
    if (!matcher.matches()) {
      throw broken("its content type names no boundary");
    }
    String boundary = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    byte[] delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    byte[] first = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    int at =
        startsWith(body, 0, first) ? first.length : indexOf(body, delimiter, 0) + delimiter.length;
    if (at < first.length) {
      throw broken("its boundary does not occur");
    }
    var parts = new ArrayList<Part>();
    while (!startsWith(body, at, "--".getBytes(StandardCharsets.ISO_8859_1))) {
      int end = indexOf(body, delimiter, at);
      if (end < 0) {
        throw broken("it ends before its last boundary");
      }
      if (parts.size() == MAX_PARTS) {
        throw broken("it has more than %d parts".formatted(MAX_PARTS));
      }
      parts.add(part(body, at, end));
      at = end + delimiter.length;
    }
    return parts;
  }

  private static Part part(byte[] body, int from, int end) {
    // The line break after a boundary may itself be the beginning of the end of no headers.
    int headersEnd = indexOf(body, HEADERS_END, from);
    if (headersEnd < 0 || headersEnd > end || headersEnd - from > MAX_HEADER_BYTES) {
      throw broken("a part has no headers");
    }
    String headers = new String(body, from, headersEnd - from, StandardCharsets.UTF_8);
    String disposition =
        headers
            .lines()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-disposition:"))
            .findFirst()
            .orElseThrow(() -> broken("a part has no Content-Disposition"));
    int start = Math.min(headersEnd + HEADERS_END.length, end);
    return new Part(
        value(NAME, disposition).orElse(""),
        value(FILE_NAME, disposition),
        body,
        start,
        end - start);
  }

  private static Optional<String> value(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.find()) {
      return Optional.empty();
    }
    String quoted = matcher.group(1);
    return Optional.of(
        quoted == null ? matcher.group(2) : quoted.replace("\\\"", "\"").replace("%22", "\""));
  }

  private static Pattern parameter(String name) {
    return Pattern.compile("(?i);\\s*" + name + "=(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s;\"]+))");
  }

  private static boolean startsWith(byte[] body, int at, byte[] start) {
    if (at + start.length > body.length) {
      return false;
    }
    for (int i = 0; i < start.length; i++) {
      if (body[at + i] != start[i]) {
        return false;
      }
    }
    return true;
  }

  private static int indexOf(byte[] body, byte[] wanted, int from) {
    for (int i = from; i <= body.length - wanted.length; i++) {
      if (body[i] == wanted[0] && startsWith(body, i, wanted)) {
        return i;
      }
    }
    return -1;
  }

  private static ApiError broken(String why) {
    return ApiError.of(400, "invalid_multipart", "The multipart body is broken: " + why + ".");
  }
}
