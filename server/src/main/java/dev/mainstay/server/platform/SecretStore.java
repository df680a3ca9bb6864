package dev.mainstay.server.platform;

import java.security.SecureRandom;
import org.jdbi.v3.core.Handle;

/** The table {@code secret}: the keys that all nodes sign and encrypt with. */
public final class SecretStore {
  private static final int LENGTH = 32;

  private SecretStore() {}

  /** The secret of a name; made once. */
  public static byte[] secret(Handle handle, String name) {
    byte[] proposed = new byte[LENGTH];
    new SecureRandom().nextBytes(proposed);
    handle.execute(
        "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", name, proposed);
    return handle.select("SELECT value FROM secret WHERE name = ?", name).mapTo(byte[].class).one();
  }
}
