package dev.mainstay.server.report;

import java.io.IOException;

/** An upload that unpacks to more than a limit; it is refused while it is unpacked. */
public final class UnpackedTooMuch extends IOException {
  public UnpackedTooMuch(String what) {
    super(what);
  }
}
