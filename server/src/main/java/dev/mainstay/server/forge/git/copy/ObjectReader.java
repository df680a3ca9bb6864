package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.platform.ProcessGroup;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects: those with files of their own from there, the others by one git process that
 * stays, which is a hundred times faster than one each.
 */
final class ObjectReader implements AutoCloseable {
  private static final int MAX_LINE = 4096;
  private static final int QUESTIONS_PER_PROCESS = 100_000;

  /** Questions that fit into the smallest pipe: git need not read on while we wait for it. */
  private static final int MOST_IN_ONE_GO = 50;

  /** An object that a name stands for. */
  record Found(String sha, String type, long size) {}

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{40}");

  private final Git git;
  private final Duration limit;
  private final LooseObjects loose;
  private @Nullable Process process;
  private @Nullable InputStream answers;
  private int questions;

  ObjectReader(Git git, Duration limit, LooseObjects loose) {
    this.git = git;
    this.loose = loose;
    this.limit = limit;
  }

  /** Looks up a commit, a reference, or {@code commit:path}; empty where there is no such thing. */
  Optional<Found> find(String name) {
    return loose(name, 0)
        .map(found -> new Found(name, found.type(), found.size()))
        .or(() -> ask("info " + name, in -> found(readLine(in))));
  }

  private Optional<LooseObjects.Found> loose(String name, int maxSize) {
    return HASH.matcher(name).matches() ? loose.read(name, maxSize) : Optional.empty();
  }

  /** The bytes of an object of this type; empty where there is none or it is of another type. */
  Optional<byte[]> read(String name, String type, int maxSize) {
    Optional<LooseObjects.Found> found = loose(name, maxSize);
    return found.isPresent()
        ? found.filter(f -> f.type().equals(type) && f.size() <= maxSize).map(f -> f.bytes())
        : asked(name, type, maxSize);
  }

  /** The bytes of several objects of this type, as far as they are there; names are hashes. */
  Map<String, byte[]> readAll(List<String> names, String type, int maxSize) {
    var found = new HashMap<String, byte[]>();
    var others = new ArrayList<String>();
    for (String name : names) {
      Optional<LooseObjects.Found> own = loose(name, maxSize);
      if (own.isEmpty() && HASH.matcher(name).matches()) {
        others.add(name);
      }
      own.filter(f -> f.type().equals(type) && f.size() <= maxSize)
          .ifPresent(f -> found.put(name, f.bytes()));
    }
    for (int i = 0; i < others.size(); i += MOST_IN_ONE_GO) {
      List<String> some = others.subList(i, Math.min(others.size(), i + MOST_IN_ONE_GO));
      exchanged(
          some.stream().map(name -> "contents " + name).collect(Collectors.joining("\n")),
          in -> {
            for (String name : some) {
              contents(in, type, maxSize).ifPresent(bytes -> found.put(name, bytes));
            }
            return Optional.empty();
          });
    }
    return found;
  }

  /** A file may be of any size, and is asked for first; what else is too large is thrown away. */
  private synchronized Optional<byte[]> asked(String name, String type, int maxSize) {
    if (type.equals("blob")
        && find(name).filter(f -> f.type().equals(type) && f.size() <= maxSize).isEmpty()) {
      return Optional.empty();
    }
    return ask("contents " + name, in -> contents(in, type, maxSize));
  }

  private interface Answer<T> {
    Optional<T> read(InputStream in) throws IOException;
  }

  private synchronized <T> Optional<T> ask(String question, Answer<T> answer) {
    return question.indexOf('\n') < 0 ? exchanged(question, answer) : Optional.empty();
  }

  private synchronized <T> Optional<T> exchanged(String question, Answer<T> answer) {
    try {
      return exchange(question, answer);
    } catch (IOException e) {
      close();
      throw new CacheBroken("git's objects cannot be read", e);
    }
  }

  private <T> Optional<T> exchange(String question, Answer<T> answer) throws IOException {
    if (process == null || !process.isAlive() || ++questions > QUESTIONS_PER_PROCESS) {
      close();
      process = git.start(List.of("cat-file", "--batch-command"));
      answers = new BufferedInputStream(process.getInputStream(), 1 << 16);
      questions = 0;
    }
    Process asked = process;
    InputStream in = java.util.Objects.requireNonNull(answers);
    var watch = ProcessGroup.after(limit, () -> ProcessGroup.kill(asked));
    try {
      asked.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
      asked.getOutputStream().flush();
      return answer.read(in);
    } finally {
      watch.lift();
    }
  }

  private static Optional<Found> found(String line) throws IOException {
    if (line.endsWith(" missing") || line.endsWith(" ambiguous")) {
      return Optional.empty();
    }
    String[] parts = line.split(" ", -1);
    if (parts.length != 3) {
      throw new IOException("git answered something else: " + line);
    }
    return Optional.of(new Found(parts[0], parts[1], Long.parseLong(parts[2])));
  }

  private static Optional<byte[]> contents(InputStream in, String type, int maxSize)
      throws IOException {
    Optional<Found> found = found(readLine(in));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    long size = found.get().size();
    boolean wanted = found.get().type().equals(type) && size <= maxSize;
    byte[] bytes = wanted ? in.readNBytes((int) size) : new byte[0];
    in.skipNBytes(size - bytes.length);
    if (in.read() != '\n') {
      throw new IOException("git ended in the middle of an object");
    }
    return wanted ? Optional.of(bytes) : Optional.empty();
  }

  private static String readLine(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0 || line.size() > MAX_LINE) {
        throw new IOException("git ended in the middle of an answer");
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void close() {
    if (process != null) {
      git.end(process);
      process = null;
      answers = null;
    }
  }
}
