package dev.mainstay.server.platform;

import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** What PostgreSQL says of itself. */
public final class ServerStore {
  private ServerStore() {}

  /**
   * The server: its version as a number (180006), its settings by name, how many clients are
   * connected, and whether it only follows another server.
   */
  public record Server(int version, Map<String, String> settings, int clients, boolean follows) {
    public Server {
      settings = Map.copyOf(settings);
    }

    public int major() {
      return version / 10_000;
    }

    /** How many more clients may connect that are not superusers. */
    public int free() {
      int reserved = number("superuser_reserved_connections") + number("reserved_connections");
      return number("max_connections") - reserved - clients;
    }

    public boolean isOn(String setting) {
      return !settings.getOrDefault(setting, "on").equals("off");
    }

    private int number(String setting) {
      return Integer.parseInt(settings.getOrDefault(setting, "0"));
    }
  }

  public static Server server(Handle handle) {
    Map<String, String> settings =
        handle
            .select(
                """
                SELECT name, setting FROM pg_settings WHERE name IN ('server_version_num', 'fsync', 'full_page_writes',
                  'synchronous_commit', 'data_checksums', 'server_encoding', 'max_connections',
                  'superuser_reserved_connections', 'reserved_connections')
                """)
            .map((row, context) -> Map.entry(row.getString(1), row.getString(2)))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    int clients =
        handle
            .select("SELECT coalesce(sum(numbackends), 0) FROM pg_stat_database")
            .mapTo(Integer.class)
            .one();
    boolean follows = handle.select("SELECT pg_is_in_recovery()").mapTo(Boolean.class).one();
    int version = Integer.parseInt(settings.getOrDefault("server_version_num", "0"));
    return new Server(version, settings, clients, follows);
  }
}
