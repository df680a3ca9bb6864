package dev.mainstay.server.backup;

import dev.mainstay.server.platform.BuildInfo;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Migrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Handle;

/** Makes backups, while nodes serve or not. */
public final class Backups {
  /** Whoever waits for a backup or a restore: the table it is at, the how manyth of how many. */
  public interface Progress {
    void at(String table, int number, int tables);
  }

  /** A backup that was made. */
  public record Made(BackupHeader header, long rows, long bytes) {}

  private Backups() {}

  /**
   * Writes all rows, as they are at one moment, into a file. Nodes go on meanwhile; none of them
   * drops a partition or changes tables, which wait or are put off.
   */
  public static Made make(Database database, Path file, boolean replace, Progress progress) {
    try (var writer = BackupWriter.at(file, replace)) {
      return database.inSnapshot(
          handle -> {
            try {
              return write(handle, writer, progress);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (FileAlreadyExistsException e) {
      throw new BackupFault(
          "%s exists already: give another name, or --replace.".formatted(file), e);
    } catch (IOException e) {
      throw unwritable(file, e);
    } catch (UncheckedIOException e) {
      throw unwritable(file, Objects.requireNonNull(e.getCause()));
    }
  }

  private static BackupFault unwritable(Path file, IOException e) {
    return new BackupFault(
        "The backup cannot be written to %s: %s.".formatted(file, e.getMessage()), e);
  }

  private static Made write(Handle handle, BackupWriter writer, Progress progress)
      throws IOException {
    DumpStore.prepare(handle);
    int schema = Migrations.number(handle);
    if (schema > Migrations.newest()) {
      throw new BackupFault(
          "A newer Mainstay has written this database (its version is %d): back it up by that one."
              .formatted(schema));
    }
    List<TableShape> tables = DumpStore.tables(handle);
    var header =
        new BackupHeader(
            BuildInfo.version(),
            DumpStore.version(handle),
            DumpStore.now(handle),
            schema,
            Migrations.script(schema),
            tables.size(),
            DumpStore.partitions(handle));
    writer.header(header);
    long rows = 0;
    for (int number = 0; number < tables.size(); number++) {
      TableShape table = tables.get(number);
      progress.at(table.name(), number + 1, tables.size());
      writer.table(table);
      var count = new long[1];
      DumpStore.copyOut(
          handle,
          table,
          row -> {
            count[0]++;
            writer.row(row);
          });
      rows += count[0];
      writer.endTable();
    }
    // Read after all rows: whatever number is in one of them was given out before.
    Map<String, Long> sequences = DumpStore.sequences(handle);
    writer.sequences(sequences);
    return new Made(header, rows, writer.finish(rows));
  }
}
