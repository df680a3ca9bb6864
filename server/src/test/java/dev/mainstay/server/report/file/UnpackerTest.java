package dev.mainstay.server.report.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.UnpackedTooMuch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;

class UnpackerTest {
  private static final String A = "<testsuite><testcase name='a'/></testsuite>";
  private static final String B = "<testsuite><testcase name='b'/></testsuite>";

  @Test
  void every_kind_of_archive_gives_its_files() throws IOException {
    assertThat(Reading.of(tar()).names()).containsExactly("a", "b");
    assertThat(Reading.of(gzip(tar())).names()).containsExactly("a", "b");
    assertThat(Reading.of(zstd(tar())).names()).containsExactly("a", "b");
    assertThat(Reading.of(zip("x.xml", A, "y.xml", B)).names()).containsExactly("a", "b");
    assertThat(Reading.of(gzip(A.getBytes(StandardCharsets.UTF_8))).names()).containsExactly("a");
  }

  @Test
  void links_devices_and_paths_that_lead_outside_are_refused_and_the_rest_is_read()
      throws IOException {
    byte[] archive =
        tar(
            tar -> {
              var link = new TarArchiveEntry("link.xml", TarConstants.LF_SYMLINK);
              link.setLinkName("/etc/passwd");
              put(tar, link, "");
              var hard = new TarArchiveEntry("hard.xml", TarConstants.LF_LINK);
              hard.setLinkName("x.xml");
              put(tar, hard, "");
              put(tar, new TarArchiveEntry("dev", TarConstants.LF_CHR), "");
              put(tar, new TarArchiveEntry("../../outside.xml"), B);
              put(tar, new TarArchiveEntry("/etc/absolute.xml", true), B);
              put(tar, new TarArchiveEntry("inside.xml"), A);
            });
    var reading = Reading.of(archive);
    assertThat(reading.names()).containsExactly("a");
    assertThat(reading.skips)
        .extracting(Skipped::reason)
        .containsExactly(
            "a link",
            "a link",
            "not a regular file",
            "its path leads outside the archive",
            "its path leads outside the archive");
  }

  @Test
  void a_bomb_is_refused_while_it_is_unpacked() throws IOException {
    byte[] bomb = ("<testsuite>" + " ".repeat(3_000_000)).getBytes(StandardCharsets.UTF_8);
    byte[] zeros = new byte[3_000_000];
    for (byte[] packed :
        new byte[][] {
          gzip(bomb),
          zstd(bomb),
          zip("bomb.xml", new String(bomb, StandardCharsets.UTF_8)),
          zip("zeros", new String(zeros, StandardCharsets.UTF_8)),
          gzip(tar(tar -> put(tar, new TarArchiveEntry("zeros"), "\0".repeat(3_000_000))))
        }) {
      assertThat(packed).hasSizeLessThan(30_000);
      assertThatThrownBy(() -> Reading.of(packed, 2_000_000))
          .isInstanceOf(UnpackedTooMuch.class)
          .hasMessageContaining("1024 MiB");
    }
  }

  @Test
  void an_archive_of_too_many_files_is_refused() {
    assertThatThrownBy(
            () ->
                Reading.of(
                    zstd(
                        tar(
                            tar -> {
                              for (int i = 0; i <= Limits.FILES; i++) {
                                put(tar, new TarArchiveEntry("f" + i), "x");
                              }
                            }))))
        .isInstanceOf(UnpackedTooMuch.class)
        .hasMessageContaining("files");
  }

  @Test
  void a_cut_archive_gives_the_files_before_the_cut() throws IOException {
    byte[] whole = tar();
    var reading = Reading.of(Arrays.copyOf(whole, 1560));
    assertThat(reading.names()).containsExactly("a");
    assertThat(reading.skips).isNotEmpty();
    assertThat(reading.skips).allMatch(skip -> skip.kind() == Skipped.Kind.UNREADABLE);
  }

  @Test
  void a_cut_compressed_stream_gives_what_could_be_unpacked() throws IOException {
    byte[] whole =
        gzip(
            ("<testsuite>" + "<testcase name='a'/>".repeat(5000)).getBytes(StandardCharsets.UTF_8));
    var reading = Reading.of(Arrays.copyOf(whole, whole.length / 2));
    assertThat(reading.runs).isNotEmpty();
    assertThat(reading.skips).hasSize(1);
  }

  @Test
  void an_entry_whose_length_lies_is_survived() throws IOException {
    byte[] archive = tar();
    // The size field of the second header says eight gigabytes.
    System.arraycopy("77777777777".getBytes(StandardCharsets.US_ASCII), 0, archive, 1024 + 124, 11);
    fixChecksum(archive, 1024);
    var reading = Reading.of(archive);
    assertThat(reading.names()).contains("a");
  }

  @Test
  void a_header_without_end_is_refused() throws IOException {
    byte[] archive =
        tar(
            tar -> {
              var entry = new TarArchiveEntry("././@LongLink", TarConstants.LF_GNUTYPE_LONGNAME);
              put(tar, entry, "n".repeat(3_000_000));
              put(tar, new TarArchiveEntry("x"), A);
            });
    var reading = Reading.of(archive);
    assertThat(reading.skips.getFirst().reason()).contains("header of an entry is too long");
  }

  @Test
  void any_changed_byte_of_an_archive_is_survived() throws IOException {
    for (byte[] archive : new byte[][] {tar(), zip("x.xml", A), gzip(tar()), zstd(tar())}) {
      for (int i = 0; i < Math.min(archive.length, 2000); i += 3) {
        byte[] changed = archive.clone();
        changed[i] ^= (byte) (0x5a + i);
        Reading.of(changed);
      }
    }
    assertThat(Reading.of(tar()).names()).hasSize(2);
  }

  private interface Filling {
    void fill(TarArchiveOutputStream tar) throws IOException;
  }

  private static byte[] tar() throws IOException {
    return tar(
        tar -> {
          put(tar, new TarArchiveEntry("x.xml"), A);
          put(tar, new TarArchiveEntry("y.xml"), B);
        });
  }

  private static byte[] tar(Filling filling) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var tar = new TarArchiveOutputStream(bytes, "UTF-8")) {
      filling.fill(tar);
    }
    return bytes.toByteArray();
  }

  private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    entry.setSize(bytes.length);
    tar.putArchiveEntry(entry);
    tar.write(bytes);
    tar.closeArchiveEntry();
  }

  private static void fixChecksum(byte[] archive, int header) {
    Arrays.fill(archive, header + 148, header + 156, (byte) ' ');
    int sum = 0;
    for (int i = header; i < header + 512; i++) {
      sum += archive[i] & 0xff;
    }
    byte[] text = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, archive, header + 148, 8);
  }

  private static byte[] zip(String... namesAndTexts) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
        zip.write(namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] gzip(byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }

  private static byte[] zstd(byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ZstdOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }
}
