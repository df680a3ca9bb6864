package dev.mainstay.server.health.ingest;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Rows in the binary format of PostgreSQL's COPY. Each row is begun and then filled in order. */
final class CopyRows implements AutoCloseable {
  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };
  private static final byte[] END = {(byte) 0xff, (byte) 0xff};
  private static final int TEXT_OID = 25;
  private static final long EPOCH_MILLIS = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();

  private final Spool spool = new Spool();
  private final int columns;
  private long rows;

  CopyRows(int columns) {
    this.columns = columns;
    spool.put(SIGNATURE);
  }

  CopyRows row() {
    spool.putShort(columns);
    rows++;
    return this;
  }

  CopyRows number(long value) {
    spool.putInt(8);
    spool.putLong(value);
    return this;
  }

  CopyRows integer(int value) {
    spool.putInt(4);
    spool.putInt(value);
    return this;
  }

  CopyRows small(int value) {
    spool.putInt(2);
    spool.putShort(value);
    return this;
  }

  CopyRows uuid(UUID value) {
    return uuid(value.getMostSignificantBits(), value.getLeastSignificantBits());
  }

  CopyRows uuid(long high, long low) {
    spool.putInt(16);
    spool.putLong(high);
    spool.putLong(low);
    return this;
  }

  CopyRows time(long epochMillis) {
    return number((epochMillis - EPOCH_MILLIS) * 1000);
  }

  CopyRows text(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    spool.putInt(bytes.length);
    spool.put(bytes);
    return this;
  }

  CopyRows texts(List<String> values) {
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

  CopyRows nothing() {
    spool.putInt(-1);
    return this;
  }

  long rows() {
    return rows;
  }

  void read(Spool.Reader reader) {
    spool.read(reader);
    reader.take(END, END.length);
  }

  @Override
  public void close() {
    spool.close();
  }
}
