package dev.mainstay.server.command;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command line that starts this program again, for users who cannot read the node's own files:
 * class path entries in root's home, for example, are closed to everybody else. Those are copied.
 */
public final class OpenProgram {
  private static final Logger log = LoggerFactory.getLogger("mainstay");
  private static final String CLASS_PATH = "-cp";

  private OpenProgram() {}

  /** Where copies lie in a data directory. */
  static Path place(Path data) {
    return data.resolve("work/program");
  }

  /** The same program, with what test users cannot read copied into the data directory. */
  public static List<String> of(List<String> program, Path data) {
    Path into = place(data);
    int at = program.indexOf(CLASS_PATH) + 1;
    if (!TestUser.areThere() || at == 0 || at >= program.size()) {
      return program;
    }
    try {
      List<Path> all =
          Stream.of(program.get(at).split(File.pathSeparator, -1)).map(Path::of).toList();
      Set<Path> closed = UserReach.unreadable(all.stream().filter(Files::exists).toList());
      var entries = new ArrayList<String>();
      for (Path entry : all) {
        Path open = closed.contains(entry) ? copy(entry, into, entries.size()) : entry;
        entries.add(open.toString());
      }
      var opened = new ArrayList<>(program);
      opened.set(at, String.join(File.pathSeparator, entries));
      keepOnly(into, entries);
      return opened;
    } catch (IOException e) {
      log.warn("test commands may not be able to call mainstay: {}", e.toString());
      return program;
    }
  }

  /** A file that was copied by an earlier start, and is the same, stays. */
  private static Path copy(Path entry, Path into, int number) throws IOException {
    Files.createDirectories(into);
    Files.setPosixFilePermissions(into, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path copy = into.resolve(number + "-" + entry.getFileName());
    if (!isSameFile(entry, copy)) {
      run("rm", "-rf", "--", copy.toString());
      run("cp", "-rL", "--preserve=timestamps", "--", entry.toString(), copy.toString());
      run("chmod", "-R", "a+rX", "--", copy.toString());
    }
    return copy;
  }

  private static boolean isSameFile(Path entry, Path copy) throws IOException {
    return Files.isRegularFile(entry)
        && Files.isRegularFile(copy)
        && Files.size(entry) == Files.size(copy)
        && Files.getLastModifiedTime(entry).equals(Files.getLastModifiedTime(copy));
  }

  private static void keepOnly(Path directory, List<String> entries) throws IOException {
    if (Files.isDirectory(directory)) {
      try (var copies = Files.newDirectoryStream(directory)) {
        for (Path copy : copies) {
          if (!entries.contains(copy.toString())) {
            run("rm", "-rf", "--", copy.toString());
          }
        }
      }
    }
  }

  private static void run(String... command) throws IOException {
    try {
      int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (exit != 0) {
        throw new IOException("%s ended with %d".formatted(String.join(" ", command), exit));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
