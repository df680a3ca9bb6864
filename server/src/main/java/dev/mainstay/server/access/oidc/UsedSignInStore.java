package dev.mainstay.server.access.oidc;

import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** The table {@code used_sign_in}. */
final class UsedSignInStore {
  private UsedSignInStore() {}

  /** Uses a state up; false where it was before. Those that are too old anyway are forgotten. */
  static boolean use(Handle handle, byte[] stateHash, Instant until, Instant now) {
    handle.execute("DELETE FROM used_sign_in WHERE until < ?", now);
    return handle.execute(
            "INSERT INTO used_sign_in (state_hash, until) VALUES (?, ?) ON CONFLICT DO NOTHING",
            stateHash,
            until)
        == 1;
  }
}
