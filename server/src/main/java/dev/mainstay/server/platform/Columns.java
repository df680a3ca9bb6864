package dev.mainstay.server.platform;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Columns of many rows, each bound as one array, for {@code unnest}. They keep their types, unlike
 * lists that are bound as arrays, and so the driver sends them in binary form.
 */
public final class Columns {
  private Columns() {}

  /** The values of one column. */
  public static final class Column implements Argument {
    private final String type;
    private final Object[] values;

    private Column(String type, Object[] values) {
      this.type = type;
      this.values = values;
    }

    void set(PreparedStatement statement, int place) throws SQLException {
      statement.setArray(place, statement.getConnection().createArrayOf(type, values));
    }

    @Override
    public void apply(int position, PreparedStatement statement, StatementContext context)
        throws SQLException {
      set(statement, position);
    }
  }

  public static <T> Column texts(Collection<T> rows, Function<T, String> column) {
    return array("text", rows.stream().map(column).toArray(String[]::new));
  }

  public static <T> Column ids(Collection<T> rows, Function<T, UUID> column) {
    return array("uuid", rows.stream().map(column).toArray(UUID[]::new));
  }

  public static <T> Column numbers(Collection<T> rows, ToLongFunction<T> column) {
    return array("bigint", rows.stream().mapToLong(column).boxed().toArray(Long[]::new));
  }

  public static <T> Column flags(Collection<T> rows, Predicate<T> column) {
    return array("boolean", rows.stream().map(column::test).toArray(Boolean[]::new));
  }

  /**
   * Times as microseconds since 1970: {@code timestamptz 'epoch' + value * interval '1
   * microsecond'}.
   */
  public static <T> Column times(Collection<T> rows, Function<T, Instant> column) {
    return numbers(rows, row -> ChronoUnit.MICROS.between(Instant.EPOCH, column.apply(row)));
  }

  private static Column array(String type, Object[] values) {
    return new Column(type, values);
  }
}
