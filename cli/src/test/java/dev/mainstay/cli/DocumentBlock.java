package dev.mainstay.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fenced block of a document. A comment before it may hold commands that prepare for it ({@code
 * <!-- before: … -->}) or the reason why it cannot be run here ({@code <!-- not run: … -->}).
 */
public record DocumentBlock(
    Path document,
    int line,
    String language,
    String text,
    List<String> before,
    Optional<String> notRun) {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern COMMENT = Pattern.compile("\\s*<!-- (before|not run): (.*) -->");
  private static final Pattern FENCE = Pattern.compile("( *)```(\\S*)");

  public DocumentBlock {
    before = List.copyOf(before);
  }

  /** README.md and all of docs/, without the decisions. */
  static List<Path> documents() {
    try (var docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.sorted())
          .filter(file -> file.toString().endsWith(".md"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<DocumentBlock> of(Path document) {
    List<String> lines = read(document);
    var blocks = new ArrayList<DocumentBlock>();
    var before = new ArrayList<String>();
    Optional<String> notRun = Optional.empty();
    for (int i = 0; i < lines.size(); i++) {
      var comment = COMMENT.matcher(lines.get(i));
      var fence = FENCE.matcher(lines.get(i));
      if (comment.matches() && comment.group(1).equals("before")) {
        before.add(comment.group(2));
      } else if (comment.matches()) {
        notRun = Optional.of(comment.group(2));
      } else if (fence.matches()) {
        int end = end(lines, i, fence.group(1).length());
        String text =
            String.join(
                "\n",
                lines.subList(i + 1, end).stream()
                    .map(line -> line.substring(Math.min(fence.group(1).length(), line.length())))
                    .toList());
        blocks.add(new DocumentBlock(document, i + 1, fence.group(2), text, before, notRun));
        before.clear();
        notRun = Optional.empty();
        i = end;
      }
    }
    return blocks;
  }

  public static List<DocumentBlock> in(String language) {
    return documents().stream()
        .flatMap(document -> of(document).stream())
        .filter(block -> block.language().equals(language))
        .toList();
  }

  static List<String> read(Path document) {
    try {
      return Files.readAllLines(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String place() {
    return ROOT.relativize(document) + ":" + line;
  }

  private static int end(List<String> lines, int begin, int indent) {
    for (int i = begin + 1; i < lines.size(); i++) {
      if (lines.get(i).equals(" ".repeat(indent) + "```")) {
        return i;
      }
    }
    throw new IllegalStateException("A block is not closed: line " + (begin + 1));
  }

  @Override
  public String toString() {
    return place();
  }
}
