package dev.mainstay.server.backup;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Sha256;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads a backup from its first line to its sum. No more than one row is in memory. */
final class BackupReader implements AutoCloseable {
  /** Whoever hears what a backup holds, in its order. */
  interface Listener {
    void begin(BackupHeader header);

    /** The rows of a table; those that are left are skipped. */
    void table(TableShape shape, Rows rows);

    /** The last numbers that sequences gave out. */
    void sequences(Map<String, Long> last);
  }

  /** The rows of one table. */
  interface Rows {
    /** Goes on to the next row; false where there is none. */
    boolean next();

    /** The row as COPY writes it, with its end of line, in so many bytes from the first. */
    byte[] bytes();

    int length();
  }

  private static final int BUFFER = 1 << 16;

  /** More than any line of ours has that is not a row. */
  private static final int LONGEST_LINE = 16 << 20;

  private final Path file;
  private final InputStream in;
  private final MessageDigest sum = Sha256.digest();
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int filled;
  private byte[] line = new byte[BUFFER];
  private int length;
  private long rows;

  private BackupReader(Path file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  /** Reads all of it; throws a {@link BackupFault} where it is not whole. Tells how many rows. */
  static long read(Path file, Listener listener) {
    try (var reader = open(file)) {
      return reader.all(listener);
    } catch (EOFException e) {
      throw new BackupFault("%s is cut off: it is not restored.".formatted(file), e);
    } catch (ZipException | Json.Malformed e) {
      throw damaged(file);
    } catch (IOException e) {
      throw new BackupFault("%s cannot be read: %s.".formatted(file, e.getMessage()), e);
    }
  }

  private static BackupReader open(Path file) throws IOException {
    try {
      var packed = new BufferedInputStream(Files.newInputStream(file), BUFFER);
      return new BackupReader(file, new GZIPInputStream(packed, BUFFER));
    } catch (NoSuchFileException e) {
      throw new BackupFault("There is no file %s.".formatted(file), e);
    } catch (ZipException e) {
      throw foreign(file);
    }
  }

  private static BackupFault foreign(Path file) {
    return new BackupFault("%s is no backup of Mainstay.".formatted(file));
  }

  private static BackupFault damaged(Path file) {
    return new BackupFault(
        "%s is damaged or was changed after it was made: it is not restored.".formatted(file));
  }

  private long all(Listener listener) throws IOException {
    BackupHeader header = header();
    listener.begin(header);
    for (int table = 0; table < header.tables(); table++) {
      ObjectNode line = nextLine();
      var columns = new ArrayList<String>();
      line.path("columns").forEach(column -> columns.add(column.asString()));
      var ours = new TableRows();
      listener.table(new TableShape(text(line, "table"), columns), ours);
      while (ours.next()) {}
    }
    var last = new LinkedHashMap<String, Long>();
    nextLine()
        .path("sequences")
        .properties()
        .forEach(one -> last.put(one.getKey(), one.getValue().asLong()));
    listener.sequences(last);
    String found = HexFormat.of().formatHex(sum.digest());
    ObjectNode end = nextLine();
    if (!found.equals(end.path("sha256").asString())
        || end.path("rows").asLong() != rows
        || in.read() >= 0
        || at < filled) {
      throw damaged(file);
    }
    return rows;
  }

  private BackupHeader header() throws IOException {
    ObjectNode line;
    try {
      line = nextLine();
    } catch (Json.Malformed | BackupFault e) {
      throw foreign(file);
    }
    JsonNode format = line.path("mainstayBackup");
    if (!format.isInt()) {
      throw foreign(file);
    }
    if (format.asInt() != BackupWriter.FORMAT) {
      throw new BackupFault(
          "%s is a backup in form %d, of a newer Mainstay (%s): restore it by that one or a later one."
              .formatted(file, format.asInt(), line.path("version").asString("unknown")));
    }
    var partitions = new ArrayList<Partition>();
    for (JsonNode one : line.path("partitions")) {
      partitions.add(new Partition(text(one, "name"), text(one, "parent"), text(one, "bound")));
    }
    try {
      return new BackupHeader(
          text(line, "version"),
          text(line, "postgres"),
          Instant.parse(text(line, "madeAt")),
          line.path("schema").asInt(0),
          text(line, "script"),
          line.path("tables").asInt(0),
          partitions);
    } catch (DateTimeException e) {
      throw damaged(file);
    }
  }

  private String text(JsonNode line, String field) {
    JsonNode value = line.path(field);
    if (!value.isString()) {
      throw damaged(file);
    }
    return value.asString();
  }

  private final class TableRows implements Rows {
    private boolean ended;

    @Override
    public boolean next() {
      if (ended) {
        return false;
      }
      try {
        readLine(Integer.MAX_VALUE - 8);
      } catch (EOFException e) {
        throw new BackupFault("%s is cut off: it is not restored.".formatted(file), e);
      } catch (ZipException e) {
        throw damaged(file);
      } catch (IOException e) {
        throw new BackupFault("%s cannot be read: %s.".formatted(file, e.getMessage()), e);
      }
      ended = Arrays.equals(line, 0, length, BackupWriter.END_OF_TABLE, 0, 3);
      rows += ended ? 0 : 1;
      return !ended;
    }

    @Override
    public byte[] bytes() {
      return line;
    }

    @Override
    public int length() {
      return length;
    }
  }

  private ObjectNode nextLine() throws IOException {
    readLine(LONGEST_LINE);
    return Json.readObject(Arrays.copyOf(line, length));
  }

  /** The next line with its end, which every line has; it counts in the sum. */
  private void readLine(int longest) throws IOException {
    length = 0;
    boolean ended = false;
    while (!ended) {
      if (at == filled) {
        at = 0;
        filled = in.read(buffer);
        if (filled < 0) {
          filled = 0;
          throw new EOFException();
        }
      }
      int end = at;
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      ended = end < filled;
      end += ended ? 1 : 0;
      append(end - at, longest);
      at = end;
    }
    sum.update(line, 0, length);
  }

  private void append(int more, int longest) {
    if (more > longest - length) {
      throw damaged(file);
    }
    if (length + more > line.length) {
      long doubled = Math.min(2L * line.length, longest);
      line = Arrays.copyOf(line, (int) Math.max(doubled, length + more));
    }
    System.arraycopy(buffer, at, line, length, more);
    length += more;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
