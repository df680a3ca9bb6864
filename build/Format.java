import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Checks that every Java file below the given root is formatted, or formats it: the first argument
 * is {@code check} or {@code write}. Run by the build, because the formatter needs a newer JVM than
 * Maven's.
 */
class Format {
  public static void main(String[] args) throws Exception {
    boolean write = args[0].equals("write");
    Path root = Path.of(args[1]);
    List<Path> sources;
    try (var files = Files.walk(root)) {
      sources = files.filter(Format::isSource).toList();
    }
    // In parallel, with a formatter for each: the build does nothing else in this time.
    List<Path> unformatted =
        sources.parallelStream().filter(file -> !isFormatted(file, write)).toList();
    for (Path file : unformatted) {
      System.out.println((write ? "formatted " : "not formatted: ") + root.relativize(file));
    }
    if (!write && !unformatted.isEmpty()) {
      System.exit(1);
    }
  }

  /** Whether a file was formatted; if not, it is now, where that is asked for. */
  private static boolean isFormatted(Path file, boolean write) {
    try {
      String before = Files.readString(file);
      String imports =
          ImportOrderer.reorderImports(
              RemoveUnusedImports.removeUnusedImports(before), JavaFormatterOptions.Style.GOOGLE);
      String after = new Formatter().formatSource(imports);
      if (write && !after.equals(before)) {
        Files.writeString(file, after);
      }
      return after.equals(before);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (FormatterException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  private static boolean isSource(Path file) {
    return file.toString().endsWith(".java") && !file.toString().contains("/target/");
  }
}
