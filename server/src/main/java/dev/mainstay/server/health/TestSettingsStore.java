package dev.mainstay.server.health;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.Quarantine;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code test_settings}; no row means the defaults. */
final class TestSettingsStore {
  private TestSettingsStore() {}

  static TestSettings find(Handle handle, long repositoryId) {
    return handle
        .select("SELECT * FROM test_settings WHERE repository_id = ?", repositoryId)
        .map(TestSettingsStore::read)
        .findOne()
        .orElse(TestSettings.DEFAULT);
  }

  /** Remembers the rules of ownership for uploads that bring none. */
  static void keepCodeOwners(Handle handle, long repositoryId, String text) {
    handle.execute(
        """
        INSERT INTO test_settings (repository_id, codeowners) VALUES (?, ?)
        ON CONFLICT (repository_id) DO UPDATE SET codeowners = excluded.codeowners
        WHERE test_settings.codeowners IS DISTINCT FROM excluded.codeowners
        """,
        repositoryId,
        text);
  }

  private static TestSettings read(ResultSet row, StatementContext context) throws SQLException {
    String[] globs = (String[]) row.getArray("stable_branches").getArray();
    return new TestSettings(
        new Quarantine.Switches(
            row.getBoolean("quarantining_enabled"), row.getBoolean("auto_quarantine")),
        Arrays.stream(globs).map(Glob::new).toList(),
        row.getBoolean("infra_protection"),
        row.getDouble("infra_threshold"),
        Optional.ofNullable(row.getString("codeowners")));
  }
}
