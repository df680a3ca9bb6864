package dev.mainstay.server.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Something could not be written because a disk is full: ours, or that of the database. */
public final class DiskFull extends RuntimeException {
  /** Whoever is told in another language than this has less than that to write to. */
  private static final long NOTHING_LEFT_BYTES = 1024L * 1024;

  public DiskFull(String message, Throwable cause) {
    super(message, cause);
  }

  /** True where this is what a write into a directory failed of. */
  static boolean is(IOException fault, Path directory) {
    String message = String.valueOf(fault.getMessage());
    return message.contains("No space left on device")
        || message.contains("Disk quota exceeded")
        || isUsedUp(directory);
  }

  private static boolean isUsedUp(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace() < NOTHING_LEFT_BYTES;
    } catch (IOException e) {
      return false;
    }
  }
}
