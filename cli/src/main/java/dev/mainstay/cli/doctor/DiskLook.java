package dev.mainstay.cli.doctor;

import dev.mainstay.server.Config;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.platform.DiskSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The disks that the service writes to. */
final class DiskLook {
  private static final long MEBIBYTE = 1024L * 1024;

  /** With less than this a busy day may fill the disk. */
  private static final long COMFORT = 1024 * MEBIBYTE;

  private DiskLook() {}

  static List<Finding> findings(Config config) {
    Path data = config.dataDirectory().toAbsolutePath().normalize();
    Map<String, Path> places =
        new LinkedHashMap<>(DiskSpace.of(data, config.minFreeDiskBytes()).places());
    places.put("git", data.resolve("work/git"));
    var disks = new DiskSpace(places, config.minFreeDiskBytes());
    var findings = new ArrayList<Finding>();
    disks.free().forEach((name, free) -> findings.add(room(name, places, free, disks)));
    places.forEach((name, place) -> writable(name, place, findings));
    return findings;
  }

  private static Finding room(String name, Map<String, Path> places, long free, DiskSpace disks) {
    String sentence =
        "%,d MiB are free for %s files (%s).".formatted(free / MEBIBYTE, name, places.get(name));
    if (free < disks.leastBytes()) {
      return Finding.missing(
          sentence,
          "Make room: with less than %,d MiB (--min-free-disk) the service is not ready."
              .formatted(disks.leastBytes() / MEBIBYTE));
    }
    return free < Math.max(COMFORT, 2 * disks.leastBytes())
        ? Finding.advice(sentence, "Make room before a busy day fills the rest.")
        : Finding.good(sentence);
  }

  private static void writable(String name, Path place, List<Finding> findings) {
    if (!Files.exists(place)) {
      if (name.equals("data")) {
        findings.add(
            Finding.advice(
                "There is no data directory %s yet.".formatted(place),
                "`mainstay serve` makes it; if it is elsewhere, give --data-dir (MAINSTAY_DATA_DIR)."));
      }
      return;
    }
    try {
      Files.delete(Files.createTempFile(place, ".doctor", ""));
      findings.add(Finding.good("%s can be written.".formatted(place)));
    } catch (IOException e) {
      findings.add(
          Finding.missing(
              "%s cannot be written (%s).".formatted(place, e.getMessage()),
              "Run this as the user that runs `mainstay serve`; if it is that user, make the directory its own."));
    }
  }
}
