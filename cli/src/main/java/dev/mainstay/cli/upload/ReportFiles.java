package dev.mainstay.cli.upload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Test reports in a directory, found by globs. */
final class ReportFiles {
  static final List<String> USUAL_PLACES =
      List.of(
          "**/surefire-reports/TEST-*.xml",
          "**/failsafe-reports/TEST-*.xml",
          "**/build/test-results/**/*.xml",
          "**/test-results/**/*.xml",
          "**/test-reports/**/*.xml",
          "**/junit*.xml",
          "**/*.trx");

  private static final Set<String> NEVER_ENTERED = Set.of(".git", "node_modules", ".venv");
  private static final List<String> CODEOWNERS =
      List.of("CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS");

  private ReportFiles() {}

  /**
   * The files that match any glob, in order, as paths relative to the root; of directories
   * everything that looks like a report. Files last changed before {@code since} are left out.
   */
  static List<Path> find(Path root, List<String> globs, FileTime since) {
    List<PathMatcher> matchers = globs.stream().flatMap(glob -> matchers(root, glob)).toList();
    SortedSet<Path> found = new TreeSet<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about) {
              return NEVER_ENTERED.contains(String.valueOf(directory.getFileName()))
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
              Path path = root.relativize(file);
              if (about.isRegularFile()
                  && about.lastModifiedTime().compareTo(since) >= 0
                  && matchers.stream().anyMatch(matcher -> matcher.matches(path))) {
                found.add(path);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(found);
  }

  static List<Path> codeOwners(Path root) {
    return CODEOWNERS.stream()
        .map(Path::of)
        .filter(path -> Files.isRegularFile(root.resolve(path)))
        .limit(1)
        .toList();
  }

  private static Stream<PathMatcher> matchers(Path root, String glob) {
    String pattern = glob.startsWith("./") ? glob.substring(2) : glob;
    Path absolute = root.toAbsolutePath().normalize();
    if (pattern.startsWith(absolute + "/")) {
      pattern = pattern.substring(absolute.toString().length() + 1);
    }
    if (Files.isDirectory(root.resolve(pattern))) {
      String directory = pattern.replaceFirst("/+$", "");
      return Stream.of(".xml", ".trx", ".json", ".jsonl", ".ndjson", ".tap")
          .flatMap(ending -> both(directory + "/**/*" + ending));
    }
    return both(pattern);
  }

  /** In Java's globs a leading double star wants at least one directory; people mean none too. */
  private static Stream<PathMatcher> both(String pattern) {
    return Stream.of(pattern, pattern.replace("**/", ""))
        .distinct()
        .map(text -> FileSystems.getDefault().getPathMatcher("glob:" + text));
  }
}
