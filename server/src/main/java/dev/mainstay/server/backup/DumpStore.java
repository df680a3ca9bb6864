package dev.mainstay.server.backup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/** Every table there is, whosesoever it is: what they are called, and their rows out and in. */
final class DumpStore {
  /** Rows in the one form that every PostgreSQL reads again. */
  private static final String PLAIN_VALUES =
      """
      SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL bytea_output = 'hex';
      SET LOCAL extra_float_digits = 1; SET LOCAL statement_timeout = 0
      """;

  private DumpStore() {}

  /** Whoever takes rows, each with its end of line. */
  interface RowSink {
    void row(byte[] row) throws IOException;
  }

  static void prepare(Handle handle) {
    Arrays.stream(PLAIN_VALUES.split(";", -1)).forEach(handle::execute);
  }

  /** True where the schema holds nothing at all. */
  static boolean isEmpty(Handle handle) {
    return handle
        .select(
            """
            SELECT NOT EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace
              AND NOT EXISTS (SELECT FROM pg_depend d
                WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'))
            """)
        .mapTo(Boolean.class)
        .one();
  }

  static Instant now(Handle handle) {
    return handle.select("SELECT now()").mapTo(Instant.class).one();
  }

  static String version(Handle handle) {
    return handle.select("SHOW server_version").mapTo(String.class).one();
  }

  /** All tables that hold rows, each after those that its rows refer to. */
  static List<TableShape> tables(Handle handle) {
    var shapes = new TreeMap<String, TableShape>();
    handle
        .select(
            """
            SELECT c.relname, array(SELECT a.attname::text FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
              ORDER BY a.attname)
            FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
              AND NOT EXISTS (SELECT FROM pg_depend d
                WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
            """)
        .map(
            (row, context) ->
                new TableShape(
                    row.getString(1), Arrays.asList((String[]) row.getArray(2).getArray())))
        .forEach(shape -> shapes.put(shape.name(), shape));
    return ordered(shapes, references(handle));
  }

  private static Map<String, Set<String>> references(Handle handle) {
    var references = new LinkedHashMap<String, Set<String>>();
    handle
        .select(
            """
            SELECT t.relname, r.relname FROM pg_constraint k
            JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
            WHERE k.contype = 'f' AND k.conrelid <> k.confrelid
              AND t.relnamespace = current_schema()::regnamespace
            """)
        .map((row, context) -> Map.entry(row.getString(1), row.getString(2)))
        .forEach(
            one ->
                references
                    .computeIfAbsent(one.getKey(), name -> new LinkedHashSet<>())
                    .add(one.getValue()));
    return references;
  }

  private static List<TableShape> ordered(
      Map<String, TableShape> shapes, Map<String, Set<String>> references) {
    var waiting = new TreeMap<>(shapes);
    var ordered = new ArrayList<TableShape>();
    while (!waiting.isEmpty()) {
      List<TableShape> free =
          waiting.values().stream()
              .filter(
                  shape ->
                      references.getOrDefault(shape.name(), Set.of()).stream()
                          .noneMatch(waiting::containsKey))
              .toList();
      if (free.isEmpty()) {
        throw new IllegalStateException("tables refer to each other: " + waiting.keySet());
      }
      free.forEach(shape -> waiting.remove(shape.name()));
      ordered.addAll(free);
    }
    return ordered;
  }

  /** The partitions that hold rows; those between them and their tables are made by migrations. */
  static List<Partition> partitions(Handle handle) {
    return handle
        .select(
            """
            WITH RECURSIVE tree (oid, depth) AS (
              SELECT c.oid, 0 FROM pg_class c
              WHERE c.relkind = 'p' AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
              UNION ALL
              SELECT i.inhrelid, t.depth + 1 FROM pg_inherits i JOIN tree t ON t.oid = i.inhparent
            )
            SELECT c.relname, p.relname, pg_get_expr(c.relpartbound, c.oid)
            FROM tree t JOIN pg_class c ON c.oid = t.oid JOIN pg_inherits i ON i.inhrelid = c.oid
            JOIN pg_class p ON p.oid = i.inhparent WHERE c.relkind = 'r' ORDER BY t.depth, c.relname
            """)
        .map((row, context) -> new Partition(row.getString(1), row.getString(2), row.getString(3)))
        .list();
  }

  /** Makes a partition as its parent is; a name that is taken is left as it is. */
  static void create(Handle handle, Partition one) {
    boolean exists =
        handle.select("SELECT to_regclass(?) IS NOT NULL", one.name()).mapTo(Boolean.class).one();
    if (!exists) {
      handle.execute("CREATE TABLE %s (LIKE %s INCLUDING ALL)".formatted(one.name(), one.parent()));
      handle.execute(
          "ALTER TABLE %s ATTACH PARTITION %s %s".formatted(one.parent(), one.name(), one.bound()));
    }
  }

  /** The last numbers that sequences have given out; those that gave none are left out. */
  static Map<String, Long> sequences(Handle handle) {
    var last = new TreeMap<String, Long>();
    handle
        .select(
            """
            SELECT sequencename, last_value FROM pg_sequences
            WHERE schemaname = current_schema() AND last_value IS NOT NULL
            """)
        .map((row, context) -> Map.entry(row.getString(1), row.getLong(2)))
        .forEach(one -> last.put(one.getKey(), one.getValue()));
    return last;
  }

  /** False where there is no such sequence. */
  static boolean goOnAfter(Handle handle, String sequence, long last) {
    return handle
        .select(
            "SELECT setval(to_regclass(quote_ident(?)), ?) WHERE to_regclass(quote_ident(?)) IS NOT NULL",
            sequence,
            last,
            sequence)
        .mapTo(Long.class)
        .findOne()
        .isPresent();
  }

  /** Takes away what migrations have written by themselves. */
  static void clear(Handle handle) {
    List<String> tables =
        handle
            .select(
                """
                SELECT quote_ident(c.relname) FROM pg_class c
                WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
                  AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
                """)
            .mapTo(String.class)
            .list();
    handle.execute("TRUNCATE TABLE %s".formatted(String.join(", ", tables)));
  }

  /** Lets PostgreSQL know what is in the tables, which it would find out some minutes later. */
  static void analyze(Handle handle) {
    handle.execute("ANALYZE");
  }

  static void copyOut(Handle handle, TableShape table, RowSink sink) {
    try {
      CopyOut copy = copies(handle).copyOut("COPY %s TO STDOUT".formatted(place(table)));
      try {
        for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
          sink.row(row);
        }
      } finally {
        if (copy.isActive()) {
          copy.cancelCopy();
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void copyIn(Handle handle, TableShape table, BackupReader.Rows rows) {
    try {
      CopyIn copy = copies(handle).copyIn("COPY %s FROM STDIN".formatted(place(table)));
      try {
        while (rows.next()) {
          copy.writeToCopy(rows.bytes(), 0, rows.length());
        }
        copy.endCopy();
      } finally {
        if (copy.isActive()) {
          copy.cancelCopy();
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CopyManager copies(Handle handle) throws SQLException {
    return handle.getConnection().unwrap(PGConnection.class).getCopyAPI();
  }

  private static String place(TableShape table) {
    return "%s (%s)"
        .formatted(
            quoted(table.name()),
            table.columns().stream().map(DumpStore::quoted).collect(Collectors.joining(", ")));
  }

  private static String quoted(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }
}
