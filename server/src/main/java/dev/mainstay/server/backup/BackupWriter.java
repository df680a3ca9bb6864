package dev.mainstay.server.backup;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Sha256;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.node.ObjectNode;

/**
 * A backup on its way to the disk: lines, packed, with a sum of all of them at the end. It is
 * written beside its place, for its owner alone, and takes the place when it is whole.
 */
final class BackupWriter implements AutoCloseable {
  static final int FORMAT = 1;
  static final byte[] END_OF_TABLE = {'\\', '.', '\n'};
  private static final int BUFFER = 1 << 16;

  private final Path file;
  private final Path draft;
  private final boolean replace;
  private final FileChannel channel;
  private final GZIPOutputStream out;
  private final MessageDigest sum = Sha256.digest();
  private boolean whole;

  private BackupWriter(Path file, boolean replace) throws IOException {
    this.file = file;
    this.replace = replace;
    this.draft = file.resolveSibling("." + file.getFileName() + ".part");
    Files.deleteIfExists(draft);
    Files.createFile(
        draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    this.channel = FileChannel.open(draft, StandardOpenOption.WRITE);
    this.out =
        new GZIPOutputStream(
            new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER), BUFFER);
  }

  static BackupWriter at(Path file, boolean replace) throws IOException {
    refuseExisting(file, replace);
    return new BackupWriter(file.toAbsolutePath(), replace);
  }

  private static void refuseExisting(Path file, boolean replace) throws IOException {
    if (!replace && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(file.toString());
    }
  }

  void header(BackupHeader header) throws IOException {
    var line = Json.object().put("mainstayBackup", FORMAT);
    line.put("version", header.version())
        .put("postgres", header.postgres())
        .put("madeAt", header.madeAt().toString())
        .put("schema", header.schema())
        .put("script", header.script())
        .put("tables", header.tables());
    var partitions = line.putArray("partitions");
    for (Partition one : header.partitions()) {
      partitions
          .addObject()
          .put("name", one.name())
          .put("parent", one.parent())
          .put("bound", one.bound());
    }
    line(line);
  }

  void table(TableShape shape) throws IOException {
    var line = Json.object().put("table", shape.name());
    shape.columns().forEach(line.putArray("columns")::add);
    line(line);
  }

  /** A row as COPY writes it, with its end of line. */
  void row(byte[] row) throws IOException {
    write(row);
  }

  void endTable() throws IOException {
    write(END_OF_TABLE);
  }

  void sequences(Map<String, Long> last) throws IOException {
    var line = Json.object();
    var all = line.putObject("sequences");
    last.forEach(all::put);
    line(line);
  }

  /** Ends the file and puts it in its place; tells its size. */
  long finish(long rows) throws IOException {
    String hex = HexFormat.of().formatHex(sum.digest());
    out.write(text(Json.object().put("rows", rows).put("sha256", hex)));
    out.finish();
    out.flush();
    channel.force(true);
    long size = channel.size();
    out.close();
    refuseExisting(file, replace);
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    whole = true;
    return size;
  }

  private void line(ObjectNode line) throws IOException {
    write(text(line));
  }

  private static byte[] text(ObjectNode line) {
    byte[] json = Json.write(line);
    byte[] text = Arrays.copyOf(json, json.length + 1);
    text[json.length] = '\n';
    return text;
  }

  private void write(byte[] bytes) throws IOException {
    sum.update(bytes);
    out.write(bytes);
  }

  @Override
  public void close() throws IOException {
    if (!whole) {
      channel.close();
      Files.deleteIfExists(draft);
    }
  }
}
