package dev.mainstay.server.platform;

import org.jdbi.v3.core.Handle;

/** The table {@code secret}: the keys that all nodes sign and encrypt with. */
public final class SecretStore {
  private SecretStore() {}

  /** The secret of a name; made once. */
  public static byte[] secret(Handle handle, String name) {
    handle.execute(
        "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
        name,
        RandomSecret.bytes());
    return handle.select("SELECT value FROM secret WHERE name = ?", name).mapTo(byte[].class).one();
  }
}
