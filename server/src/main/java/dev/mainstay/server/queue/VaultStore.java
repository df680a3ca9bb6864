package dev.mainstay.server.queue;

import org.jdbi.v3.core.Handle;

/** The row of {@code secret} that belongs to this room. */
final class VaultStore {
  private static final String NAME = "connection-credentials";

  private VaultStore() {}

  static byte[] key(Handle handle, byte[] proposed) {
    handle.execute(
        "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", NAME, proposed);
    return handle.select("SELECT value FROM secret WHERE name = ?", NAME).mapTo(byte[].class).one();
  }
}
