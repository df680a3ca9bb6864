package dev.mainstay.cli.simulate;

import dev.mainstay.core.simulation.experiment.Figures;
import dev.mainstay.core.simulation.experiment.RunLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs in a file, a line of JSON each, written as soon as a run has ended. What was being written
 * when the machine went down is run again.
 */
final class RunFile implements RunLog {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final long MOST_BYTES = 64L << 20;
  private static final String BEGINNING = "{\"run\":";

  private final Path file;
  private final Map<Run, Figures> known = new HashMap<>();

  private RunFile(Path file) {
    this.file = file;
  }

  private record Entry(@Nullable Run run, @Nullable Figures figures) {}

  static RunFile open(Path file) throws IOException {
    var runs = new RunFile(file);
    String text = text(file);
    int end = text.lastIndexOf('\n') + 1;
    List<String> lines = text.substring(0, end).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (!runs.read(lines.get(i))) {
        throw new IllegalArgumentException(
            "line %d of %s is not a run; name a file that an earlier --resume wrote, or a new one"
                .formatted(i + 1, file));
      }
    }
    String torn = text.substring(end);
    if (!BEGINNING.startsWith(torn) && !torn.startsWith(BEGINNING)) {
      throw new IllegalArgumentException(
          "%s is not a file of runs; name one that an earlier --resume wrote, or a new one"
              .formatted(file));
    }
    if (!torn.isEmpty()) {
      Files.writeString(file, text.substring(0, end));
    }
    return runs;
  }

  private static String text(Path file) throws IOException {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IllegalArgumentException(
            "%s is larger than %d MiB, which no file of runs is".formatted(file, MOST_BYTES >> 20));
      }
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (NoSuchFileException notYet) {
      Files.writeString(file, "", StandardOpenOption.CREATE_NEW);
      return "";
    }
  }

  private boolean read(String line) {
    try {
      Entry entry = MAPPER.readValue(line, Entry.class);
      if (entry != null && entry.run != null && entry.figures != null) {
        known.put(entry.run, entry.figures);
        return true;
      }
    } catch (JacksonException notARun) {
      // Falls through: whatever is no run is told the same way.
    }
    return false;
  }

  @Override
  public Optional<Figures> find(Run run) {
    return Optional.ofNullable(known.get(run));
  }

  @Override
  public void keep(Run run, Figures figures) {
    known.put(run, figures);
    try {
      Files.writeString(
          file,
          MAPPER.writeValueAsString(new Entry(run, figures)) + "\n",
          StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
