package dev.mainstay.server.platform;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to be sent to the database, in memory up to a bound and beyond it in a file that has no
 * name: whatever becomes of the process, nothing is left behind.
 */
final class Spool implements AutoCloseable {
  private static final int BLOCK = 64 * 1024;
  private static final int BLOCKS_IN_MEMORY = 64;

  /** Takes the bytes in order. */
  interface Reader {
    void take(byte[] bytes, int length);
  }

  private static final Path DIRECTORY = Path.of(System.getProperty("java.io.tmpdir"));

  private final List<byte[]> blocks = new ArrayList<>();
  private @Nullable FileChannel file;
  private byte[] current = new byte[BLOCK];
  private int used;

  void putByte(int value) {
    if (used == BLOCK) {
      turn();
    }
    current[used++] = (byte) value;
  }

  void putShort(int value) {
    putByte(value >> 8);
    putByte(value);
  }

  void putInt(int value) {
    if (used + 4 > BLOCK) {
      putShort(value >> 16);
      putShort(value);
      return;
    }
    current[used] = (byte) (value >> 24);
    current[used + 1] = (byte) (value >> 16);
    current[used + 2] = (byte) (value >> 8);
    current[used + 3] = (byte) value;
    used += 4;
  }

  void putLong(long value) {
    putInt((int) (value >> 32));
    putInt((int) value);
  }

  void put(byte[] bytes) {
    int from = 0;
    while (from < bytes.length) {
      if (used == BLOCK) {
        turn();
      }
      int n = Math.min(bytes.length - from, BLOCK - used);
      System.arraycopy(bytes, from, current, used, n);
      used += n;
      from += n;
    }
  }

  /** Reads everything written so far, from the beginning; may be done again. */
  void read(Reader reader) {
    for (byte[] block : blocks) {
      reader.take(block, block.length);
    }
    if (file != null) {
      readFile(file, reader);
    }
    reader.take(current, used);
  }

  @Override
  public void close() {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void turn() {
    if (blocks.size() < BLOCKS_IN_MEMORY) {
      blocks.add(current);
      current = new byte[BLOCK];
    } else {
      append(current);
    }
    used = 0;
  }

  private void append(byte[] block) {
    try {
      if (file == null) {
        file = nameless();
      }
      ByteBuffer buffer = ByteBuffer.wrap(block);
      while (buffer.hasRemaining()) {
        file.write(buffer);
      }
    } catch (IOException e) {
      if (DiskFull.is(e, DIRECTORY)) {
        throw new DiskFull("no room for an upload in " + DIRECTORY, e);
      }
      throw new IllegalStateException(e);
    }
  }

  private static FileChannel nameless() throws IOException {
    Path path = Files.createTempFile(DIRECTORY, "mainstay-upload", ".spool");
    var channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Files.delete(path);
    return channel;
  }

  private static void readFile(FileChannel file, Reader reader) {
    try {
      byte[] bytes = new byte[BLOCK];
      long at = 0;
      for (int n = file.read(ByteBuffer.wrap(bytes), at);
          n > 0;
          n = file.read(ByteBuffer.wrap(bytes), at)) {
        reader.take(bytes, n);
        at += n;
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
