package dev.mainstay.server.health.ingest;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.security.MessageDigest;

/** A file of an upload as it was sent; an archive counts as one. */
@SuppressWarnings("ArrayRecordComponent") // A slice of the body, never compared.
record UploadedFile(String name, byte[] body, int offset, int length) {

  static UploadedFile whole(String name, byte[] body) {
    return new UploadedFile(name, body, 0, body.length);
  }

  InputStream open() {
    return new ByteArrayInputStream(body, offset, length);
  }

  void addTo(MessageDigest digest) {
    digest.update(body, offset, length);
  }
}
