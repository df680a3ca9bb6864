package dev.mainstay.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Migrations;
import dev.mainstay.server.platform.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupsTest {
  private static final Backups.Progress QUIETLY = (table, number, tables) -> {};

  private static Database database;
  @TempDir private static Path directory;
  private static Path backup;

  @BeforeAll
  static void makeBackup() {
    database = Database.connect(TestDatabase.withTables(), 4);
    database.useTransaction(
        handle -> {
          handle.execute(
              """
              INSERT INTO organization (slug, name, created_at)
              SELECT 'org' || n, E'tab\\tnew\\nline \\\\. quote" ü \\u2028', now() FROM generate_series(1, 500) n
              """);
          handle.execute("INSERT INTO secret (name, value) VALUES ('other', '\\x00ff0a5c')");
          handle.execute(
              "INSERT INTO repository (organization_id, key, host, owner, name, created_at)"
                  + " SELECT id, 'h/o/n', 'h', 'o', 'n', now() FROM organization");
          // Its name comes before that of the table it refers to.
          handle.execute(
              "INSERT INTO bundle (id, repository_id, created_at, expires_at)"
                  + " SELECT gen_random_uuid(), min(id), now(), now() FROM repository");
          handle.execute(
              "CREATE TABLE run_90_20200101 PARTITION OF run_90 FOR VALUES FROM ('2020-01-01') TO ('2020-01-02')");
          handle.execute(
              """
              INSERT INTO run_90 (repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt)
              SELECT min(id), gen_random_uuid(), '2020-01-01T10:00:00.123456Z', 1, 90, 0, 1 FROM repository
              """);
        });
    backup = directory.resolve("backup");
    Backups.make(database, backup, false, QUIETLY);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static Database restored(Path file) {
    var other = Database.connect(TestDatabase.empty(), 2);
    Restore.into(other, Restore.check(file), QUIETLY);
    return other;
  }

  /** Everything in every table, and every sequence. */
  private static Map<String, String> content(Database one) {
    return one.inSnapshot(
        handle -> {
          DumpStore.prepare(handle);
          var content = new TreeMap<String, String>();
          for (TableShape table : DumpStore.tables(handle)) {
            var rows = new ByteArrayOutputStream();
            DumpStore.copyOut(handle, table, rows::write);
            content.put(table.toString(), rows.toString(StandardCharsets.UTF_8));
          }
          DumpStore.partitions(handle).forEach(p -> content.put(p.toString(), ""));
          content.put("sequences", DumpStore.sequences(handle).toString());
          return content;
        });
  }

  @Test
  void what_is_restored_is_what_was_there() throws IOException {
    try (Database other = restored(backup)) {
      assertThat(content(other)).isEqualTo(content(database));
      assertThat(other.schema()).isEqualTo(Migrations.newest());
      long next =
          other.query(
              handle ->
                  handle
                      .select(
                          "INSERT INTO organization (slug, name, created_at) VALUES ('new', 'new', now())"
                              + " RETURNING id")
                      .mapTo(Long.class)
                      .one());
      assertThat(next).isEqualTo(501);
    }
    assertThat(Files.getPosixFilePermissions(backup))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(directory.toFile().list()).doesNotContain(".backup.part");
  }

  @Test
  void rows_of_one_transaction_are_there_together_while_others_write() throws Exception {
    var done = new AtomicBoolean();
    var begun = new CountDownLatch(3);
    var writer =
        CompletableFuture.runAsync(
            () -> {
              for (int round = 0; !done.get(); round++) {
                String value = "" + round;
                database.useTransaction(
                    handle -> {
                      handle.execute("UPDATE organization SET name = ? WHERE slug = 'org1'", value);
                      handle.execute(
                          "INSERT INTO secret (name, value) VALUES ('round', convert_to(?, 'UTF8'))"
                              + " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                          value);
                    });
                begun.countDown();
              }
            });
    begun.await();
    Path file = directory.resolve("meanwhile");
    Backups.make(database, file, false, QUIETLY);
    done.set(true);
    writer.join();
    try (Database other = restored(file)) {
      List<String> both =
          other.query(
              handle ->
                  handle
                      .select(
                          "SELECT name FROM organization WHERE slug = 'org1' UNION ALL"
                              + " SELECT convert_from(value, 'UTF8') FROM secret WHERE name = 'round'")
                      .mapTo(String.class)
                      .list());
      assertThat(both).hasSize(2);
      assertThat(both.get(0)).isEqualTo(both.get(1));
    }
  }

  @Test
  void a_backup_keeps_nobody_waiting() {
    LocalDate today = LocalDate.of(2026, 1, 1);
    var kept = new AtomicBoolean();
    try (var node = Database.connect(database.address(), 2)) {
      var partitions = new PartitionStore(node);
      Backups.make(
          database,
          directory.resolve("long"),
          false,
          (table, number, tables) -> {
            if (number == tables) {
              node.migrate();
              partitions.makeAhead(today);
              kept.set(partitions.dropExpired(today).isEmpty());
            }
          });
    }
    assertThat(kept).isTrue();
    try (Database other = restored(backup)) {
      assertThat(new PartitionStore(other).dropExpired(today)).containsExactly("run_90_20200101");
    }
  }

  @Test
  void a_file_that_is_cut_off_or_was_changed_is_refused() throws IOException {
    byte[] whole = Files.readAllBytes(backup);
    for (int part = 0; part < 20; part++) {
      int cut = (int) ((long) whole.length * part / 20);
      Path file = Files.write(directory.resolve("cut"), Arrays.copyOf(whole, cut));
      assertThatThrownBy(() -> Restore.check(file)).isInstanceOf(BackupFault.class);
    }
    byte[] lines = unpacked(whole);
    for (int part = 0; part < 100; part++) {
      byte[] changed = lines.clone();
      changed[(int) ((long) lines.length * part / 100)] ^= 1;
      Path file = Files.write(directory.resolve("changed"), packed(changed));
      assertThatThrownBy(() -> Restore.check(file))
          .as("a change in part %d", part)
          .isInstanceOf(BackupFault.class);
    }
    byte[] longer = Arrays.copyOf(lines, lines.length + 1);
    Path file = Files.write(directory.resolve("longer"), packed(longer));
    assertThatThrownBy(() -> Restore.check(file)).hasMessageContaining("was changed after");
  }

  @Test
  void every_byte_of_the_packed_content_counts() throws IOException {
    byte[] whole = Files.readAllBytes(backup);
    // The ten bytes of a gzip header say nothing of the content.
    for (int part = 1; part < 40; part++) {
      byte[] changed = whole.clone();
      changed[10 + (int) ((long) (whole.length - 11) * part / 40)] ^= 0x10;
      Path file = Files.write(directory.resolve("flipped"), changed);
      assertThatThrownBy(() -> Restore.check(file)).isInstanceOf(BackupFault.class);
    }
  }

  @Test
  void what_is_no_backup_or_of_a_newer_mainstay_is_refused() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "no backup");
    assertThatThrownBy(() -> Restore.check(text)).hasMessageContaining("is no backup of Mainstay");
    Path gzip =
        Files.write(
            directory.resolve("gzip"), packed("{\"a\":1}\n".getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> Restore.check(gzip)).hasMessageContaining("is no backup of Mainstay");
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> Restore.check(none)).hasMessageContaining("There is no file");
    String lines = new String(unpacked(Files.readAllBytes(backup)), StandardCharsets.UTF_8);
    Path form =
        Files.write(
            directory.resolve("form"),
            packed(
                lines
                    .replaceFirst("\"mainstayBackup\":1", "\"mainstayBackup\":2")
                    .getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> Restore.check(form)).hasMessageContaining("of a newer Mainstay");
    Path tables =
        Files.write(
            directory.resolve("tables"),
            packed(signed(lines.replaceFirst("\"schema\":\\d+", "\"schema\":999"))));
    assertThatThrownBy(() -> Restore.check(tables))
        .hasMessageContaining("its tables are of version 999, and this one knows");
    Path newer = directory.resolve("newer");
    try (var later = Database.connect(TestDatabase.withTables(), 2)) {
      later.query(h -> h.execute("INSERT INTO migration (number, script) VALUES (999, 'later')"));
      assertThatThrownBy(() -> Backups.make(later, newer, false, QUIETLY))
          .hasMessageContaining("A newer Mainstay has written this database");
    }
    assertThat(newer).doesNotExist();
    assertThat(directory.toFile().list()).doesNotContain(".newer.part");
  }

  @Test
  void a_file_that_exists_stays_unless_it_is_to_be_replaced() throws IOException {
    Path file = Files.writeString(directory.resolve("taken"), "mine");
    assertThatThrownBy(() -> Backups.make(database, file, false, QUIETLY))
        .hasMessageContaining("--replace");
    assertThat(file).hasContent("mine");
    Backups.make(database, file, true, QUIETLY);
    assertThat(Restore.check(file).rows()).isGreaterThan(1000);
  }

  @Test
  void only_an_empty_database_takes_a_backup_and_only_as_a_whole() {
    assertThatThrownBy(() -> Restore.into(database, Restore.check(backup), QUIETLY))
        .hasMessageContaining("not empty");
    var other = Database.connect(TestDatabase.empty(), 2);
    try (other) {
      Restore.Checked checked = Restore.check(backup);
      assertThatThrownBy(
              () ->
                  Restore.into(
                      other,
                      checked,
                      (table, number, tables) -> {
                        if (number == tables) {
                          throw new IllegalStateException("in the middle");
                        }
                      }))
          .hasMessageContaining("in the middle");
      assertThat(Restore.isEmpty(other)).isTrue();
      Restore.into(other, checked, QUIETLY);
      assertThat(content(other)).isEqualTo(content(database));
    }
  }

  private static byte[] unpacked(byte[] packed) throws IOException {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    }
  }

  /** The lines with the sum that is right for them. */
  private static byte[] signed(String lines) {
    int last = lines.lastIndexOf('\n', lines.length() - 2) + 1;
    byte[] before = lines.substring(0, last).getBytes(StandardCharsets.UTF_8);
    String sum = HexFormat.of().formatHex(Sha256.digest().digest(before));
    return (lines.substring(0, last) + lines.substring(last).replaceFirst("[0-9a-f]{64}", sum))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] packed(byte[] lines) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(lines);
    }
    return out.toByteArray();
  }
}
