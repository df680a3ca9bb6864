package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The place of the data, for every command that works on the database itself. */
public class DatabaseOptions {
  private final Shell shell;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description =
          "Where the embedded PostgreSQL keeps its data (MAINSTAY_DATA_DIR; ~/.mainstay, for root"
              + " /var/lib/mainstay).")
  private @Nullable String dataDir;

  @Option(
      names = "--database-url",
      paramLabel = "URL",
      description =
          "A PostgreSQL of yours instead: postgresql://user:password@host:5432/database. Better"
              + " given as MAINSTAY_DATABASE_URL, since it holds a password.")
  private @Nullable String databaseUrl;

  public DatabaseOptions(Shell shell) {
    this.shell = shell;
  }

  public Map<Setting, String> given() {
    var given = new EnumMap<Setting, String>(Setting.class);
    put(given, Setting.DATA_DIR, dataDir);
    put(given, Setting.DATABASE_URL, databaseUrl);
    return given;
  }

  public Config config() {
    return Config.read(given(), shell.environment());
  }

  static void put(Map<Setting, String> given, Setting setting, @Nullable String value) {
    if (value != null) {
      given.put(setting, value);
    }
  }
}
