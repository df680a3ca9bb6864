package dev.mainstay.server.health.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A file as a test sends it. */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record SentFile(String name, byte[] content) {
  static SentFile of(String name, String content) {
    return new SentFile(name, content.getBytes(UTF_8));
  }

  /** The first part of it. */
  SentFile cut(int length) {
    return new SentFile(name, java.util.Arrays.copyOf(content, length));
  }

  SentFile named(String other) {
    return new SentFile(other, content);
  }

  static SentFile zip(List<SentFile> files) {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (SentFile file : files) {
        zip.putNextEntry(new ZipEntry(file.name));
        zip.write(file.content);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new SentFile("reports.zip", bytes.toByteArray());
  }

  /** The body of a form with these files, and fields beside them. */
  static byte[] form(List<SentFile> files, List<String> fields) {
    var body = new ByteArrayOutputStream();
    for (String field : fields) {
      String[] parts = field.split("=", 2);
      body.writeBytes(
          "--limit\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
              .formatted(parts[0], parts[1])
              .getBytes(UTF_8));
    }
    for (SentFile file : files) {
      body.writeBytes(
          "--limit\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\n"
              .formatted(file.name)
              .getBytes(UTF_8));
      body.writeBytes(file.content);
      body.writeBytes("\r\n".getBytes(UTF_8));
    }
    body.writeBytes("--limit--\r\n".getBytes(UTF_8));
    return body.toByteArray();
  }
}
