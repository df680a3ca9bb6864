package dev.mainstay.cli;

import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the data is: the options that every command has which works on the database itself. */
final class DatabaseOptions {
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

  Map<Setting, String> given() {
    var given = new EnumMap<Setting, String>(Setting.class);
    put(given, Setting.DATA_DIR, dataDir);
    put(given, Setting.DATABASE_URL, databaseUrl);
    return given;
  }

  Config config() {
    return Config.read(given(), System.getenv());
  }

  static void put(Map<Setting, String> given, Setting setting, @Nullable String value) {
    if (value != null) {
      given.put(setting, value);
    }
  }
}
