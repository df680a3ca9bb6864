package dev.mainstay.server.platform;

import com.github.benmanes.caffeine.cache.Cache;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/**
 * Statements that go to the database together: one way there and back, however many they are. They
 * name their values as {@code :name} and answer nothing.
 */
public final class Convoy {
  private static final Pattern NAME = Pattern.compile("(?<!:):([A-Za-z]+)");

  private static final int MOST_KNOWN = 1_000;

  private static final Cache<String, Parsed> KNOWN = Caches.ofAtMost(MOST_KNOWN);

  /** A statement with places instead of names, and the names in the order of their places. */
  private record Parsed(String text, List<String> names) {
    static Parsed of(String statement) {
      return new Parsed(
          NAME.matcher(statement).replaceAll("?"),
          NAME.matcher(statement).results().map(name -> name.group(1)).toList());
    }
  }

  private final List<String> texts = new ArrayList<>();
  private final List<Value> values = new ArrayList<>();

  /** Puts itself into its place. */
  interface Value {
    void set(PreparedStatement statement, int place) throws SQLException;
  }

  /** The values of one statement, by name. */
  public static final class Values {
    private final Map<String, Value> byName = new HashMap<>();

    public Values with(String name, long value) {
      return put(name, (statement, place) -> statement.setLong(place, value));
    }

    public Values with(String name, String value) {
      return put(name, (statement, place) -> statement.setString(place, value));
    }

    public Values with(String name, Instant value) {
      return put(
          name, (statement, place) -> statement.setObject(place, value.atOffset(ZoneOffset.UTC)));
    }

    public Values with(String name, Columns.Column column) {
      return put(name, column::set);
    }

    private Values put(String name, Value value) {
      byName.put(name, value);
      return this;
    }
  }

  public void add(String statement, Values given) {
    Parsed parsed = KNOWN.get(statement, Parsed::of);
    texts.add(parsed.text());
    parsed.names().forEach(name -> values.add(value(given, name)));
  }

  private static Value value(Values given, String name) {
    Value value = given.byName.get(name);
    if (value == null) {
      throw new IllegalArgumentException("A statement has no value for " + name);
    }
    return value;
  }

  public void send(Handle handle) {
    if (texts.isEmpty()) {
      return;
    }
    // The driver sends what semicolons part as statements of their own, and then waits once.
    try (var statement = handle.getConnection().prepareStatement(String.join(";\n", texts))) {
      for (int i = 0; i < values.size(); i++) {
        values.get(i).set(statement, i + 1);
      }
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
