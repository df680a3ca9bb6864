package dev.mainstay.server.platform;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Rows in the binary format of PostgreSQL's COPY. Each row is begun and then filled in order. */
public final class CopyRows implements AutoCloseable {
  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };
  private static final byte[] END = {(byte) 0xff, (byte) 0xff};
  private static final byte[] TRUE = {1};
  private static final byte[] FALSE = {0};
  private static final int TEXT_OID = 25;
  private static final long EPOCH_MILLIS = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();

  private final Spool spool = new Spool();
  private final int columns;
  private long rows;

  public CopyRows(int columns) {
    this.columns = columns;
    spool.put(SIGNATURE);
  }

  public CopyRows row() {
    spool.putShort(columns);
    rows++;
    return this;
  }

  public CopyRows number(long value) {
    spool.putInt(8);
    spool.putLong(value);
    return this;
  }

  public CopyRows integer(int value) {
    spool.putInt(4);
    spool.putInt(value);
    return this;
  }

  public CopyRows small(int value) {
    spool.putInt(2);
    spool.putShort(value);
    return this;
  }

  public CopyRows flag(boolean value) {
    spool.putInt(1);
    spool.put(value ? TRUE : FALSE);
    return this;
  }

  public CopyRows uuid(UUID value) {
    return uuid(value.getMostSignificantBits(), value.getLeastSignificantBits());
  }

  public CopyRows uuid(long high, long low) {
    spool.putInt(16);
    spool.putLong(high);
    spool.putLong(low);
    return this;
  }

  public CopyRows time(long epochMillis) {
    return number((epochMillis - EPOCH_MILLIS) * 1000);
  }

  public CopyRows text(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    spool.putInt(bytes.length);
    spool.put(bytes);
    return this;
  }

  public CopyRows texts(List<String> values) {
    var encoded = values.stream().map(v -> v.getBytes(StandardCharsets.UTF_8)).toList();
    if (encoded.isEmpty()) {
      spool.putInt(12);
      spool.putInt(0);
      spool.putInt(0);
      spool.putInt(TEXT_OID);
      return this;
    }
    spool.putInt(20 + encoded.stream().mapToInt(bytes -> 4 + bytes.length).sum());
    spool.putInt(1);
    spool.putInt(0);
    spool.putInt(TEXT_OID);
    spool.putInt(encoded.size());
    spool.putInt(1);
    for (byte[] bytes : encoded) {
      spool.putInt(bytes.length);
      spool.put(bytes);
    }
    return this;
  }

  public CopyRows nothing() {
    spool.putInt(-1);
    return this;
  }

  public long rows() {
    return rows;
  }

  /** Sends the rows, if there are any, by a statement that ends {@code (FORMAT binary)}. */
  public void copy(Handle handle, String statement) {
    if (rows == 0) {
      return;
    }
    try {
      CopyIn copy =
          handle.getConnection().unwrap(PGConnection.class).getCopyAPI().copyIn(statement);
      try {
        spool.read((bytes, length) -> write(copy, bytes, length));
        write(copy, END, END.length);
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

  private static void write(CopyIn copy, byte[] bytes, int length) {
    try {
      copy.writeToCopy(bytes, 0, length);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    spool.close();
  }
}
