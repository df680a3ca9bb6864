package dev.mainstay.server.mcp;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A revision of the protocol that is spoken here, the newest first. */
enum Revision {
  OF_2026_07("2026-07-28"),
  OF_2025_11("2025-11-25"),
  OF_2025_06("2025-06-18"),
  OF_2025_03("2025-03-26");

  private final String date;

  Revision(String date) {
    this.date = date;
  }

  String date() {
    return date;
  }

  /** Whether each request says all there is to know, and there is no handshake. */
  boolean isWithoutHandshake() {
    return this == OF_2026_07;
  }

  static Optional<Revision> of(String date) {
    return Arrays.stream(values()).filter(r -> r.date.equals(date)).findFirst();
  }

  /** The one to go on with after a handshake in which a client offers this one. */
  static Revision agreed(String offered) {
    return of(offered).filter(r -> !r.isWithoutHandshake()).orElse(OF_2025_11);
  }

  static List<String> dates() {
    return Arrays.stream(values()).map(Revision::date).toList();
  }
}
