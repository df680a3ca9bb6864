package dev.mainstay.server.queue.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.chance.Learned;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stored JSON can be read for ever. Each golden file was written in the form that its folder names;
 * {@code -Dgolden.write=true} writes those of new kinds, and never one that is there.
 */
class StoredJsonTest {
  private static final Path GOLDEN = Path.of("src/test/resources/stored");
  private static final Path PRESENT = GOLDEN.resolve("4");

  @ParameterizedTest
  @MethodSource("files")
  void a_golden_file_of_any_form_is_read_and_written_in_the_present_one(Path file)
      throws IOException {
    String name = file.getFileName().toString();
    assertThat(PRESENT.resolve(name))
        .content()
        .isEqualTo(rewritten(name, Files.readString(file).strip()) + "\n");
  }

  @Test
  void a_newer_form_is_told_so() {
    assertThatThrownBy(() -> StoredJson.action("{\"v\":5,\"is\":\"Land\"}"))
        .hasMessage("stored by a newer Mainstay: form 5");
  }

  private static String rewritten(String name, String json) {
    if (name.startsWith("event-")) {
      return alone(StoredJson.events(json, StoredJsonTest::sets));
    }
    if (name.startsWith("events")) {
      return StoredJson.events(StoredJson.events(json, StoredJsonTest::sets));
    }
    if (name.startsWith("action-")) {
      return StoredJson.action(StoredJson.action(json));
    }
    return StoredJson.state(StoredJson.state(json, StoredJsonTest::sets));
  }

  /** One event as it was stored when each had a row of its own; it is still read. */
  private static String alone(List<QueueEvent> event) {
    String json = StoredJson.events(event);
    String opening = "{\"v\":4,\"events\":[{";
    assertThat(event).hasSize(1);
    assertThat(json).startsWith(opening).endsWith("]}");
    return "{\"v\":4," + json.substring(opening.length(), json.length() - 2);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void what_is_written_today_is_the_golden_file(String name, String json) throws IOException {
    Path file = PRESENT.resolve(name + ".json");
    if (Boolean.getBoolean("golden.write") && !Files.exists(file)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, json + "\n");
    }
    assertThat(file).content().isEqualTo(json + "\n");
  }

  @Test
  void every_kind_has_a_sample() {
    List<String> names = samples().map(s -> (String) s[0]).toList();
    for (Class<?> kind : QueueEvent.class.getPermittedSubclasses()) {
      assertThat(names).anyMatch(n -> n.startsWith("event-" + kind.getSimpleName()));
    }
    for (Class<?> kind : QueueAction.class.getPermittedSubclasses()) {
      assertThat(names).anyMatch(n -> n.startsWith("action-" + kind.getSimpleName()));
    }
  }

  @Test
  void a_state_is_the_same_after_it_was_stored_in_parts() {
    QueueState state = StoredSamples.stalled();
    var parts =
        new StoredJson.Parts(
            StoredJson.rest(state),
            StoredJson.target(state.target()),
            StoredJson.groups(state.line()),
            StoredJson.groups(state.side()),
            Optional.of(StoredJson.learned(state.learned())));
    var entries =
        state.entries().values().stream()
            .map(e -> StoredJson.entry(StoredJson.entry(e), StoredJsonTest::sets))
            .toList();
    assertThat(state.landing().orElseThrow().heldMoves()).isNotEmpty();
    assertThat(state.side()).isNotEmpty();
    assertThat(state.progress().stall()).isPresent();
    assertThat(state.entries().values())
        .anyMatch(e -> e.leaving().isPresent())
        .anyMatch(e -> e.conflictedHead().isPresent());
    assertThat(StoredJson.state(parts, entries, StoredJsonTest::sets)).isEqualTo(state);
    assertThat(StoredJson.state(StoredJson.state(state), StoredJsonTest::sets)).isEqualTo(state);
  }

  @Test
  void what_was_learned_is_the_same_after_it_was_stored() {
    Learned learned = StoredSamples.learned().learned();
    assertThat(learned.weights()).hasSizeGreaterThan(2);
    assertThat(learned.failedBefore()).isNotEmpty();
    assertThat(learned.durations().known()).isPositive();
    QueueState state = StoredSamples.learned();
    assertThat(StoredJson.state(StoredJson.state(state), StoredJsonTest::sets)).isEqualTo(state);
  }

  @Test
  void guesses_are_the_same_after_they_were_stored() {
    QueueState state = StoredSamples.guessing();
    assertThat(state.line()).anyMatch(g -> !g.guesses().isEmpty());
    assertThat(StoredJson.state(StoredJson.state(state), StoredJsonTest::sets)).isEqualTo(state);
  }

  @Test
  void flakes_are_the_same_after_they_were_stored() {
    QueueState state = StoredSamples.flaky();
    assertThat(state.line()).anyMatch(g -> g.flakeRetries() > 0);
    assertThat(state.line()).anyMatch(g -> g.run().flatMap(Run::results).isPresent());
    assertThat(StoredJson.state(StoredJson.state(state), StoredJsonTest::sets)).isEqualTo(state);
  }

  @Test
  void suspicions_are_the_same_after_they_were_stored() {
    QueueState state = StoredSamples.suspecting();
    assertThat(state.doubt().suspicion()).isPresent();
    assertThat(state.doubt().failures()).hasSize(2);
    assertThat(state.side()).anyMatch(g -> g.testsTarget());
    assertThat(StoredJson.state(StoredJson.state(state), StoredJsonTest::sets)).isEqualTo(state);
  }

  @Test
  void a_hundred_thousand_targets_are_a_hash() {
    ImpactedTargets many = StoredSamples.targets(100_000);
    String hash = TargetSets.hash(many).orElseThrow();
    assertThat(StoredJson.targets(many)).hasSizeLessThan(120);
    assertThat(TargetSets.decompressed(hash, TargetSets.compressed(many))).isEqualTo(many);
    assertThat(TargetSets.compressed(many)).hasSizeLessThan(1 << 20);
  }

  static Stream<Object[]> samples() {
    Stream<Object[]> events =
        StoredSamples.events().entrySet().stream()
            .map(e -> new Object[] {"event-" + e.getKey(), alone(List.of(e.getValue()))});
    Stream<Object[]> actions =
        StoredSamples.actions().entrySet().stream()
            .map(e -> new Object[] {"action-" + e.getKey(), StoredJson.action(e.getValue())});
    Object[] together = {
      "events",
      StoredJson.events(
          List.of(
              new QueueEvent.Cancelled(new PullRequestRef(7)),
              new QueueEvent.Cancelled(new PullRequestRef(8))))
    };
    Object[] state = {"state", StoredJson.state(StoredSamples.state())};
    Object[] failed = {"state-failed", StoredJson.state(StoredSamples.failed())};
    Object[] stalled = {"state-stalled", StoredJson.state(StoredSamples.stalled())};
    Object[] guessing = {"state-guessing", StoredJson.state(StoredSamples.guessing())};
    Object[] learned = {"state-learned", StoredJson.state(StoredSamples.learned())};
    Object[] flaky = {"state-flaky", StoredJson.state(StoredSamples.flaky())};
    Object[] suspecting = {"state-suspecting", StoredJson.state(StoredSamples.suspecting())};
    return Stream.of(
            events,
            actions,
            Stream.of(together, state, failed, stalled, guessing, learned, flaky, suspecting))
        .flatMap(s -> s);
  }

  static List<Path> files() throws IOException {
    try (var files = Files.walk(GOLDEN)) {
      return files.filter(f -> f.toString().endsWith(".json")).sorted().toList();
    }
  }

  /** The one long list in the golden files. */
  private static ImpactedTargets sets(String hash) {
    ImpactedTargets many = StoredSamples.targets(30);
    assertThat(TargetSets.hash(many)).contains(hash);
    return many;
  }
}
