package dev.mainstay.server.forge.git.copy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The references of a repository on this machine, read from the files that git keeps them in: what
 * {@code git ls-remote} tells, without its three processes. Whatever is not plain is left to git: a
 * repository that is not whole, that hides references or stores them otherwise, names that are not
 * ASCII, and references to references.
 */
public final class LocalReferences {
  private static final int MAX_SETTINGS = 1 << 20;
  private static final int MAX_REFERENCE = 1000;
  private static final Pattern OBJECT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
  private static final Pattern PLAIN = Pattern.compile("[!-~]+");
  private static final List<String> SPECIAL = List.of("hiderefs", "refstorage", "include");

  private final Path directory;
  private final ReadFile<Boolean> plainSettings;
  private final ReadFile<NavigableMap<String, String>> packed;

  /** {@code directory} is the one that holds {@code objects} and {@code refs}. */
  public LocalReferences(Path directory) {
    this.directory = directory;
    plainSettings = new ReadFile<>(directory.resolve("config"), LocalReferences::isPlain);
    packed = new ReadFile<>(directory.resolve("packed-refs"), LocalReferences::readPacked);
  }

  /** A repository that is not plain, or not to be read: git is to be asked. */
  private static final class NotPlain extends Exception {
    NotPlain(String why) {
      super(why, null, false, false);
    }
  }

  /** The references of these names; a name may end in {@code *}. Empty where git is to be asked. */
  public Optional<Map<String, String>> list(List<String> names) {
    try {
      // Loose ones first: while git packs one, it is in both places, and never in none.
      Map<String, String> loose = loose(names);
      Map<String, String> all = packed(names);
      all.putAll(loose);
      // Last: a repository that was moved away meanwhile is not taken for an empty one.
      checkIsPlain();
      return Optional.of(all);
    } catch (IOException | UncheckedIOException | NotPlain e) {
      return Optional.empty();
    }
  }

  private void checkIsPlain() throws IOException, NotPlain {
    boolean whole =
        Files.isRegularFile(directory.resolve("HEAD"))
            && Files.isDirectory(directory.resolve("refs"))
            && Files.isDirectory(directory.resolve("objects"));
    if (!whole || Files.exists(directory.resolve("reftable"))) {
      throw new NotPlain("not a repository of files");
    }
    if (!plainSettings.value()) {
      throw new NotPlain("settings of its own");
    }
  }

  private static boolean isPlain(Path settings) throws IOException {
    if (Files.size(settings) > MAX_SETTINGS) {
      return false;
    }
    String text =
        new String(Files.readAllBytes(settings), StandardCharsets.ISO_8859_1)
            .toLowerCase(Locale.ROOT);
    return SPECIAL.stream().noneMatch(text::contains);
  }

  private Map<String, String> loose(List<String> names) throws IOException, NotPlain {
    var found = new TreeMap<String, String>();
    for (String name : names) {
      if (!name.startsWith("refs/") || !PLAIN.matcher(name).matches() || name.contains("..")) {
        throw new NotPlain("not below refs/");
      }
      if (name.endsWith("*")) {
        for (String one : below(name.substring(0, name.length() - 1))) {
          read(one, found);
        }
      } else {
        read(name, found);
      }
    }
    return found;
  }

  /** Names of files that begin so. */
  private List<String> below(String prefix) throws IOException, NotPlain {
    Path folder = directory.resolve(prefix.substring(0, prefix.lastIndexOf('/')));
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    var names = new ArrayList<String>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = directory.relativize(file).toString();
        if (!PLAIN.matcher(name).matches() || Files.isSymbolicLink(file)) {
          throw new NotPlain("a name or a link");
        }
        if (name.startsWith(prefix) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  private void read(String name, Map<String, String> found) throws IOException, NotPlain {
    if (name.endsWith(".lock")) {
      return;
    }
    Path file = directory.resolve(name);
    if (!Files.isRegularFile(file)) {
      return;
    }
    String text;
    try {
      text = Files.size(file) > MAX_REFERENCE ? "" : Files.readString(file).strip();
    } catch (NoSuchFileException e) {
      return;
    }
    if (!OBJECT.matcher(text).matches()) {
      throw new NotPlain("a reference to another");
    }
    found.put(name, text);
  }

  private Map<String, String> packed(List<String> names) throws IOException {
    var found = new TreeMap<String, String>();
    NavigableMap<String, String> all;
    try {
      all = packed.value();
    } catch (NoSuchFileException e) {
      return found;
    }
    for (String name : names) {
      if (name.endsWith("*")) {
        String prefix = name.substring(0, name.length() - 1);
        for (var e : all.tailMap(prefix).entrySet()) {
          if (!e.getKey().startsWith(prefix)) {
            break;
          }
          found.put(e.getKey(), e.getValue());
        }
      } else if (all.containsKey(name)) {
        found.put(name, all.get(name));
      }
    }
    return found;
  }

  /** Lines of {@code SHA NAME}; others are comments and what tags stand for. */
  private static NavigableMap<String, String> readPacked(Path file) throws IOException {
    var all = new TreeMap<String, String>();
    try (var in = Files.newInputStream(file);
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int space = line.indexOf(' ');
        if (space > 0 && OBJECT.matcher(line.substring(0, space)).matches()) {
          all.put(line.substring(space + 1), line.substring(0, space));
        }
      }
    }
    return all;
  }
}
