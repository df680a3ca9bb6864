package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.Quarantine;
import dev.mainstay.server.platform.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code test_settings}; no row means the defaults. */
public final class TestSettingsStore {
  private TestSettingsStore() {}

  public static TestSettings find(Handle handle, long repositoryId) {
    return handle
        .select("SELECT * FROM test_settings WHERE repository_id = ?", repositoryId)
        .map(TestSettingsStore::read)
        .findOne()
        .orElse(TestSettings.DEFAULT);
  }

  /** Remembers the rules of ownership for uploads that bring none. */
  public static void keepCodeOwners(Handle handle, long repositoryId, String text) {
    handle.execute(
        """
        INSERT INTO test_settings (repository_id, codeowners) VALUES (?, ?)
        ON CONFLICT (repository_id) DO UPDATE SET codeowners = excluded.codeowners
        WHERE test_settings.codeowners IS DISTINCT FROM excluded.codeowners
        """,
        repositoryId,
        text);
  }

  /** Remembers the file of the connected repository; once it had one, also that it has none. */
  public static void keepOwnersOfRepository(
      Handle handle, long repositoryId, Optional<String> text) {
    if (text.isEmpty()) {
      handle.execute(
          """
          UPDATE test_settings SET repository_codeowners = ''
          WHERE repository_id = ? AND repository_codeowners IS NOT NULL
          """,
          repositoryId);
    } else {
      handle.execute(
          """
          INSERT INTO test_settings (repository_id, repository_codeowners) VALUES (?, ?)
          ON CONFLICT (repository_id) DO UPDATE SET repository_codeowners = excluded.repository_codeowners
          WHERE test_settings.repository_codeowners IS DISTINCT FROM excluded.repository_codeowners
          """,
          repositoryId,
          text.get());
    }
  }

  /** Settings that somebody wants changed; the others stay as they are. */
  record Changes(
      Optional<Boolean> quarantining,
      Optional<Boolean> automatic,
      Cap cap,
      Optional<List<Glob>> stableBranches,
      Optional<Boolean> infraProtection,
      Optional<Double> infraThreshold) {}

  /** Whether the cap is to change, and to what: an empty one is none. */
  record Cap(boolean changes, Optional<Integer> most) {}

  /** Switches automatic quarantining off; false where it was off. */
  public static boolean stopAutomatic(
      Handle handle, long repositoryId, String reason, Instant now) {
    return handle.execute(
            """
            UPDATE test_settings SET auto_quarantine = false, automatic_stopped_at = ?, automatic_stopped_reason = ?
            WHERE repository_id = ? AND auto_quarantine
            """,
            now,
            reason,
            repositoryId)
        == 1;
  }

  static void change(Handle handle, long repositoryId, Changes changes, Instant now) {
    handle.execute(
        "INSERT INTO test_settings (repository_id) VALUES (?) ON CONFLICT DO NOTHING",
        repositoryId);
    handle
        .createUpdate(
            """
            UPDATE test_settings SET
              quarantining_since = CASE WHEN :quarantining AND NOT quarantining_enabled THEN :now
                ELSE quarantining_since END,
              automatic_since = CASE WHEN :automatic AND NOT auto_quarantine THEN :now ELSE automatic_since END,
              quarantining_enabled = coalesce(:quarantining, quarantining_enabled),
              auto_quarantine = coalesce(:automatic, auto_quarantine),
              automatic_stopped_at = CASE WHEN :automatic THEN NULL ELSE automatic_stopped_at END,
              automatic_stopped_reason = CASE WHEN :automatic THEN NULL ELSE automatic_stopped_reason END,
              quarantine_cap = CASE WHEN :capped THEN :cap ELSE quarantine_cap END,
              stable_branches = CASE WHEN :rebranched THEN :stable ELSE stable_branches END,
              infra_protection = coalesce(:infra, infra_protection),
              infra_threshold = coalesce(:threshold, infra_threshold)
            WHERE repository_id = :repository
            """)
        .bind("repository", repositoryId)
        .bind("now", now)
        .bind("quarantining", changes.quarantining)
        .bind("automatic", changes.automatic)
        .bind("capped", changes.cap.changes)
        .bind("cap", changes.cap.most)
        .bind("rebranched", changes.stableBranches.isPresent())
        .bind("stable", Columns.texts(changes.stableBranches.orElse(List.of()), Glob::pattern))
        .bind("infra", changes.infraProtection)
        .bind("threshold", changes.infraThreshold)
        .execute();
  }

  private static TestSettings read(ResultSet row, StatementContext context) throws SQLException {
    String[] globs = (String[]) row.getArray("stable_branches").getArray();
    String reason = Optional.ofNullable(row.getString("automatic_stopped_reason")).orElse("");
    return new TestSettings(
        new Quarantine.Switches(
            row.getBoolean("quarantining_enabled"), row.getBoolean("auto_quarantine")),
        Optional.ofNullable(row.getObject("quarantine_cap", Integer.class)),
        RepoViewStore.time(row, "automatic_stopped_at")
            .map(at -> new TestSettings.Stopped(at, reason)),
        Arrays.stream(globs).map(Glob::new).toList(),
        row.getBoolean("infra_protection"),
        row.getDouble("infra_threshold"),
        owners(
            Optional.ofNullable(row.getString("codeowners")),
            Optional.ofNullable(row.getString("repository_codeowners"))));
  }

  /**
   * The owners' file that counts: the repository's own is newer than one that some upload brought.
   */
  private static Optional<String> owners(Optional<String> uploaded, Optional<String> repository) {
    return repository.filter(text -> !text.isEmpty()).or(() -> uploaded).or(() -> repository);
  }
}
