package dev.mainstay.server.report;

import java.io.IOException;

/** What unpacks to more than the limit is refused while it is unpacked. */
public final class UnpackedTooMuch extends IOException {
  UnpackedTooMuch(String what) {
    super(what);
  }
}
