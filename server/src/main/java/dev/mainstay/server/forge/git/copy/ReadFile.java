package dev.mainstay.server.forge.git.copy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What was made of a file, for as long as it is the same file: as git itself tells that, by number,
 * size and time. Git replaces such files and never writes into them.
 */
final class ReadFile<T> {
  /** Makes something of a file. */
  interface Reading<T> {
    T read(Path file) throws IOException;
  }

  private record Identity(Optional<Object> number, long size, FileTime modified) {
    static Identity of(BasicFileAttributes file) {
      return new Identity(
          Optional.ofNullable(file.fileKey()), file.size(), file.lastModifiedTime());
    }
  }

  private record Read<T>(Identity of, T value) {}

  private final Path file;
  private final Reading<T> reading;
  private final AtomicReference<Optional<Read<T>>> last = new AtomicReference<>(Optional.empty());

  ReadFile(Path file, Reading<T> reading) {
    this.file = file;
    this.reading = reading;
  }

  /** The value of the file as it is now. Whatever else is there, a pipe say, is not read. */
  T value() throws IOException {
    Identity now = identity();
    Optional<Read<T>> known = last.get().filter(read -> read.of().equals(now));
    if (known.isPresent()) {
      return known.get().value();
    }
    T value = reading.read(file);
    last.set(
        Objects.equals(now, identity()) ? Optional.of(new Read<>(now, value)) : Optional.empty());
    return value;
  }

  private Identity identity() throws IOException {
    var now = Files.readAttributes(file, BasicFileAttributes.class);
    if (!now.isRegularFile()) {
      throw new IOException("not a file: " + file);
    }
    return Identity.of(now);
  }
}
