package dev.mainstay.server.platform;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.argument.Argument;

/**
 * Columns of many rows, each bound as one array, for {@code unnest}. They keep their types, unlike
 * lists that are bound as arrays, and so the driver sends them in binary form.
 */
public final class Columns {
  private Columns() {}

  public static <T> Argument texts(Collection<T> rows, Function<T, String> column) {
    return array("text", rows.stream().map(column).toArray(String[]::new));
  }

  public static <T> Argument numbers(Collection<T> rows, ToLongFunction<T> column) {
    return array("bigint", rows.stream().mapToLong(column).boxed().toArray(Long[]::new));
  }

  public static <T> Argument flags(Collection<T> rows, Predicate<T> column) {
    return array("boolean", rows.stream().map(column::test).toArray(Boolean[]::new));
  }

  /**
   * Times as microseconds since 1970: {@code timestamptz 'epoch' + value * interval '1
   * microsecond'}.
   */
  public static <T> Argument times(Collection<T> rows, Function<T, Instant> column) {
    return numbers(rows, row -> ChronoUnit.MICROS.between(Instant.EPOCH, column.apply(row)));
  }

  private static Argument array(String type, Object[] values) {
    return (position, statement, context) ->
        statement.setArray(position, statement.getConnection().createArrayOf(type, values));
  }
}
