import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * Checks that every Java file below the given root is formatted, or formats it: the first argument
 * is {@code check} or {@code write}. Run by the build, because the formatter needs a newer JVM than
 * Maven's.
 */
class Format {
  public static void main(String[] args) throws Exception {
    boolean write = args[0].equals("write");
    Path root = Path.of(args[1]);
    var formatter = new Formatter();
    var unformatted = new ArrayList<Path>();
    try (var files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(Format::isSource)::iterator) {
        String before = Files.readString(file);
        String imports =
            ImportOrderer.reorderImports(
                RemoveUnusedImports.removeUnusedImports(before), JavaFormatterOptions.Style.GOOGLE);
        String after = formatter.formatSource(imports);
        if (!after.equals(before)) {
          unformatted.add(root.relativize(file));
          if (write) {
            Files.writeString(file, after);
          }
        }
      }
    }
    for (Path file : unformatted) {
      System.out.println((write ? "formatted " : "not formatted: ") + file);
    }
    if (!write && !unformatted.isEmpty()) {
      System.exit(1);
    }
  }

  private static boolean isSource(Path file) {
    return file.toString().endsWith(".java") && !file.toString().contains("/target/");
  }
}
