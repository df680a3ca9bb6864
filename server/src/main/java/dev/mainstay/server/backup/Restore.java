package dev.mainstay.server.backup;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Migrations;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * Puts a backup into an empty database: all of it in one transaction, or nothing. The tables are
 * made as they were when the backup was, so that the next start brings them up to date as it would
 * have there.
 */
public final class Restore {
  /** A backup that is whole, and how much is in it. */
  public record Checked(Path file, BackupHeader header, long rows) {}

  /** Tables of the backup that are none of Mainstay's, and were left out. */
  public record Restored(long rows, List<String> leftOut) {
    public Restored {
      leftOut = List.copyOf(leftOut);
    }
  }

  private Restore() {}

  /** Reads a backup to its end, which touches no database; throws a {@link BackupFault}. */
  public static Checked check(Path file) {
    var look = new Look();
    long rows = BackupReader.read(file, look);
    BackupHeader header = look.headers.getFirst();
    if (header.schema() > Migrations.newest()) {
      throw new BackupFault(
          "%s was made by a newer Mainstay (%s; its tables are of version %d, and this one knows %d): restore it by that one or a later one."
              .formatted(file, header.version(), header.schema(), Migrations.newest()));
    }
    if (header.schema() < 1
        || !Migrations.script(header.schema()).equals(header.script())
        || !header.partitions().stream().allMatch(Partition::isHarmless)) {
      throw new BackupFault(
          "%s was made by a Mainstay whose tables are not those of this one (%s): restore it by the one that made it."
              .formatted(file, header.script()));
    }
    return new Checked(file, header, rows);
  }

  /** Restores a backup that was checked; the database must have no tables. */
  public static Restored into(Database database, Checked backup, Backups.Progress progress) {
    Restored restored =
        database.inTransaction(
            handle -> {
              if (!DumpStore.isEmpty(handle)) {
                throw new BackupFault(
                    "The database is not empty: a backup is restored into an empty one only.");
              }
              var work = new Work(handle, progress);
              long rows = BackupReader.read(backup.file(), work);
              return new Restored(rows, work.leftOut);
            });
    database.query(
        handle -> {
          DumpStore.analyze(handle);
          return true;
        });
    return restored;
  }

  public static boolean isEmpty(Database database) {
    return database.query(DumpStore::isEmpty);
  }

  private static final class Look implements BackupReader.Listener {
    private final List<BackupHeader> headers = new ArrayList<>();

    @Override
    public void begin(BackupHeader header) {
      headers.add(header);
    }

    @Override
    public void table(TableShape shape, BackupReader.Rows rows) {}

    @Override
    public void sequences(Map<String, Long> last) {}
  }

  private static final class Work implements BackupReader.Listener {
    private final Handle handle;
    private final Backups.Progress progress;
    private final Map<String, TableShape> missing = new TreeMap<>();
    private final List<String> leftOut = new ArrayList<>();
    private int tables;
    private int number;

    Work(Handle handle, Backups.Progress progress) {
      this.handle = handle;
      this.progress = progress;
    }

    @Override
    public void begin(BackupHeader header) {
      tables = header.tables();
      DumpStore.prepare(handle);
      Migrations.run(handle, header.schema());
      header.partitions().forEach(one -> DumpStore.create(handle, one));
      DumpStore.clear(handle);
      DumpStore.tables(handle).forEach(shape -> missing.put(shape.name(), shape));
    }

    @Override
    public void table(TableShape shape, BackupReader.Rows rows) {
      progress.at(shape.name(), ++number, tables);
      TableShape ours = missing.remove(shape.name());
      if (ours == null) {
        leftOut.add(shape.name());
      } else if (!ours.equals(shape)) {
        throw new BackupFault(
            "The table %s of the backup has other columns than that of this Mainstay: restore it by the one that made it."
                .formatted(shape.name()));
      } else {
        DumpStore.copyIn(handle, shape, rows);
      }
    }

    @Override
    public void sequences(Map<String, Long> last) {
      if (!missing.isEmpty()) {
        throw new BackupFault(
            "The backup lacks the tables %s: restore it by the Mainstay that made it."
                .formatted(String.join(", ", missing.keySet())));
      }
      last.forEach((sequence, number) -> DumpStore.goOnAfter(handle, sequence, number));
    }
  }
}
