package dev.mainstay.server.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The disks that this process writes to, by what they are for, and how much must be free. */
public record DiskSpace(Map<String, Path> places, long leastBytes) {

  /** For a node with this data directory; what is large on its way is in a temporary file. */
  public static DiskSpace of(Path dataDirectory, long leastBytes) {
    var places = new LinkedHashMap<String, Path>();
    places.put("data", dataDirectory.toAbsolutePath());
    places.put("temporary", Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath());
    return new DiskSpace(places, leastBytes);
  }

  /** What a disk is for that has less than must be free. */
  public Optional<String> full() {
    return free().entrySet().stream()
        .filter(disk -> disk.getValue() < leastBytes)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** The free bytes of each disk that tells. */
  public Map<String, Long> free() {
    var free = new LinkedHashMap<String, Long>();
    places.forEach(
        (name, path) -> {
          try {
            free.put(name, Files.getFileStore(existing(path)).getUsableSpace());
          } catch (IOException e) {
            // Whoever writes there will be told.
          }
        });
    return free;
  }

  /** The directory itself, or the one that it will be made in. */
  private static Path existing(Path path) {
    Path one = path;
    while (!Files.exists(one) && one.getParent() != null) {
      one = one.getParent();
    }
    return one;
  }
}
