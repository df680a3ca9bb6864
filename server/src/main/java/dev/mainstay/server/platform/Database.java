package dev.mainstay.server.platform;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;

/** The PostgreSQL database: a pool of connections, transactions, migrations. */
public final class Database implements AutoCloseable {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  /** Longer than any statement of a node takes, waiting for locks included. */
  private static final Duration SILENCE_LIMIT = Duration.ofMinutes(2);

  /** The lock that whoever copies all tables shares with others who do. */
  private static final long COPIED = 0x636f70696564L;

  /**
   * SQL states: 08 is a lost connection, 57P a shutting down server, 53300 too many clients, 25006
   * a server that takes no changes, as one that is about to be the first.
   */
  private static final Pattern LOST = Pattern.compile("08...|57P..|53300|25006");

  private static final Pattern DISK_FULL = Pattern.compile("53100");

  /** 40P01 is a deadlock, 40001 another change of the same row. */
  private static final Pattern MET = Pattern.compile("40P01|40001");

  /** The same, 55P03 for a lock that was waited for in vain, 57014 for a statement that was. */
  private static final Pattern HELD_BY_OTHERS = Pattern.compile("40P01|40001|55P03|57014");

  /** Keeps what it has read, and statements are the same in every database of a process. */
  private static final SqlParser STATEMENTS = new ColonPrefixSqlParser();

  /** The address of a database, and the user and password to reach it by. */
  public record Address(String jdbcUrl, String user, String password) {
    @Override
    public String toString() {
      return jdbcUrl;
    }
  }

  /** The database cannot be reached, or went away in the middle. */
  public static final class Unavailable extends RuntimeException {
    Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Others hold what was needed, for longer than it can be waited for; nothing was changed. */
  public static final class Busy extends RuntimeException {
    Busy(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** A connection beside the pool, for locks that last as long as its session. */
  public static final class Session implements AutoCloseable {
    private final Handle handle;

    private Session(Handle handle) {
      this.handle = handle;
    }

    /**
     * Runs statements. A session that failed once has ended: unlike the pool it does not come back.
     */
    public <T> T call(Function<Handle, T> work) {
      return translated(() -> work.apply(handle));
    }

    @Override
    public void close() {
      try {
        handle.close();
      } catch (RuntimeException e) {
        // The database is gone, and the session with it.
      }
    }
  }

  private final Address address;
  private final HikariDataSource pool;
  private final Jdbi jdbi;
  private volatile boolean full;

  private Database(Address address, HikariDataSource pool) {
    this.address = address;
    this.pool = pool;
    this.jdbi = withOurStatements(Jdbi.create(pool));
  }

  private static Jdbi withOurStatements(Jdbi jdbi) {
    jdbi.getConfig(SqlStatements.class).setSqlParser(STATEMENTS);
    return jdbi;
  }

  public Address address() {
    return address;
  }

  /** For commands, whose statements take as long as they need. */
  public static Database connect(Address address, int connections) {
    return connect(address, connections, properties());
  }

  /**
   * For a node: a server that has fallen silent, as one that lost its machine does, is given up
   * after a while. The address may name another time ({@code socketTimeout}).
   */
  public static Database connectWithLimit(Address address, int connections) {
    Properties properties = properties();
    properties.setProperty("socketTimeout", String.valueOf(SILENCE_LIMIT.toSeconds()));
    return connect(address, connections, properties);
  }

  private static Database connect(Address address, int connections, Properties properties) {
    var config = new HikariConfig();
    config.setPoolName("database");
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(CONNECT_LIMIT.toMillis());
    config.setInitializationFailTimeout(CONNECT_LIMIT.toMillis());
    config.setDataSourceProperties(properties);
    try {
      return new Database(address, new HikariDataSource(config));
    } catch (RuntimeException e) {
      throw new Unavailable(rootMessage(e), e);
    }
  }

  private static Properties properties() {
    var properties = new Properties();
    properties.setProperty("ApplicationName", "mainstay");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("reWriteBatchedInserts", "true");
    properties.setProperty("options", "-c timezone=UTC -c lock_timeout=30s");
    return properties;
  }

  /** A session of its own, which ends with this process or when the database does not answer. */
  public Session session() {
    Properties properties = properties();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("connectTimeout", String.valueOf(CONNECT_LIMIT.toSeconds()));
    properties.setProperty("socketTimeout", String.valueOf(ANSWER_LIMIT.toSeconds()));
    var own = withOurStatements(Jdbi.create(address.jdbcUrl(), properties));
    return translated(() -> new Session(own.open()));
  }

  /** The number of the newest migration that was run; 0 where there are no tables. */
  public int schema() {
    return query(Migrations::number);
  }

  /**
   * Runs statements that all see the database as it was at one moment, and change nothing. As long
   * as they take, nobody changes tables, and {@link #unlessCopied} is put off.
   */
  public <T> T inSnapshot(Function<Handle, T> work) {
    return translated(
        () ->
            jdbi.withHandle(
                handle -> {
                  handle.execute("SELECT pg_advisory_lock_shared(?)", Migrations.LOCK);
                  handle.execute("SELECT pg_advisory_lock_shared(?)", COPIED);
                  try {
                    return handle.inTransaction(
                        TransactionIsolationLevel.REPEATABLE_READ,
                        one -> {
                          one.execute("SET TRANSACTION READ ONLY");
                          return work.apply(one);
                        });
                  } finally {
                    handle.execute("SELECT pg_advisory_unlock_all()");
                  }
                }));
  }

  /** A transaction that would have to wait for whoever copies all tables; false where it must. */
  public boolean unlessCopied(Consumer<Handle> work) {
    return inTransaction(
        handle -> {
          boolean free =
              handle
                  .select("SELECT pg_try_advisory_xact_lock(?)", COPIED)
                  .mapTo(Boolean.class)
                  .one();
          if (free) {
            work.accept(handle);
          }
          return free;
        });
  }

  /** True where the tables were made, in whatever version. */
  public boolean hasTables() {
    return translated(
        () -> jdbi.inTransaction(handle -> Migrations.wereRun(handle.getConnection())));
  }

  /** Brings the tables up to date; safe when several nodes do it at once. */
  public void migrate() {
    translated(
        () ->
            jdbi.inTransaction(
                handle -> {
                  Migrations.run(handle.getConnection());
                  return true;
                }));
  }

  /** Runs one or more statements in a transaction of their own. */
  public <T> T inTransaction(Function<Handle, T> work) {
    return noticed(() -> jdbi.inTransaction(work::apply));
  }

  public void useTransaction(Consumer<Handle> work) {
    inTransaction(
        handle -> {
          work.accept(handle);
          return true;
        });
  }

  /**
   * A transaction that does not wait for the disk: when the database dies, it may be as if it had
   * never been. For what is harmless to lose, such as who does a piece of work.
   */
  public <T> T inForgettableTransaction(Function<Handle, T> work) {
    return inTransaction(
        handle -> {
          handle.execute("SET LOCAL synchronous_commit TO off");
          return work.apply(handle);
        });
  }

  /** Runs one statement. */
  public <T> T query(Function<Handle, T> work) {
    return noticed(() -> jdbi.withHandle(work::apply));
  }

  /**
   * True where a write failed for want of room and still would. That is tried with rows which are
   * taken back; a user who may not make temporary tables is believed to have room.
   */
  public boolean isFull() {
    if (full) {
      try {
        jdbi.useTransaction(
            handle -> {
              handle.execute(
                  "CREATE TEMPORARY TABLE room ON COMMIT DROP AS SELECT repeat('x', 1000) AS text"
                      + " FROM generate_series(1, 1000)");
              handle.rollback();
            });
        full = false;
      } catch (RuntimeException e) {
        full = hasState(e, DISK_FULL);
      }
    }
    return full;
  }

  /** The time by the database's own clock. */
  public Instant time() {
    return query(handle -> handle.select("SELECT clock_timestamp()").mapTo(Instant.class).one());
  }

  /** How many connections of the pool are in use, how many rest, and how many callers wait. */
  public record Pool(int active, int idle, int waiting) {}

  public Pool pool() {
    var pools = pool.getHikariPoolMXBean();
    return new Pool(
        pools.getActiveConnections(),
        pools.getIdleConnections(),
        pools.getThreadsAwaitingConnection());
  }

  /** True where the database answers. */
  public boolean isReachable() {
    try {
      return query(handle -> handle.select("SELECT 1").mapTo(Integer.class).one() == 1);
    } catch (Unavailable e) {
      return false;
    }
  }

  @Override
  public void close() {
    pool.close();
  }

  private interface Work<T> {
    T run() throws SQLException;
  }

  private <T> T noticed(Work<T> work) {
    try (var spent = Tracing.part("database")) {
      spent.with("db.system.name", "postgresql");
      return translated(work);
    } catch (DiskFull e) {
      full = true;
      throw e;
    }
  }

  private static <T> T translated(Work<T> work) {
    try {
      return work.run();
    } catch (SQLException | RuntimeException e) {
      if (hasState(e, LOST)) {
        throw new Unavailable(rootMessage(e), e);
      }
      if (hasState(e, DISK_FULL)) {
        throw new DiskFull("the database has no room: " + rootMessage(e), e);
      }
      if (hasState(e, HELD_BY_OTHERS)) {
        throw new Busy(rootMessage(e), e);
      }
      throw e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
    }
  }

  /** True where transactions have met and this one is to be tried again. */
  public static boolean isContention(Throwable e) {
    return hasState(e, MET);
  }

  private static boolean hasState(Throwable e, Pattern states) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientConnectionException && states == LOST) {
        return true;
      }
      if (cause instanceof SQLException sql
          && sql.getSQLState() != null
          && states.matcher(sql.getSQLState()).matches()) {
        return true;
      }
    }
    return false;
  }

  /** The first line of the innermost words; the end of a stream has none of its own. */
  private static String rootMessage(Throwable e) {
    String words = "";
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      words = cause.getMessage() == null ? words : cause.getMessage();
    }
    return words.lines().findFirst().orElse("");
  }
}
