package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.QueueState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The alarm of a queue, why it paused itself, and its settings that will not do what they look
 * like, a sentence each.
 */
public final class Warnings {
  private Warnings() {}

  public static List<String> of(QueueState state) {
    var warnings = new ArrayList<>(state.target().alarm().stream().toList());
    state.doubt().suspicion().ifPresent(s -> warnings.add(s.why().sentence()));
    if (!state.connection().connected()) {
      warnings.add(
          "No forge is connected to this repository: until one is, everybody stays NOT_READY.");
      return warnings;
    }
    if (state.target().missing()) {
      warnings.add(
          "The repository has no branch %s: until it is pushed, everybody stays NOT_READY."
              .formatted(state.target().branch()));
    }
    Optional<List<String>> required = MustPass.statuses(state);
    if (required.isEmpty()) {
      warnings.add(
          "Nothing says what must pass: set requiredStatuses, protect the branch, or give the"
              + " repository a test command. Until then everybody stays NOT_READY.");
    } else {
      addAboutStatuses(warnings, state, required.get());
    }
    return warnings;
  }

  private static void addAboutStatuses(
      List<String> warnings, QueueState state, List<String> required) {
    boolean command = state.connection().hasTestCommand();
    boolean needsCommand = required.contains(MustPass.TEST_COMMAND);
    if (command && !needsCommand) {
      warnings.add(
          "The repository's test command is never run: nothing requires its status %1$s. Add %1$s to"
                  .formatted(MustPass.TEST_COMMAND)
              + " requiredStatuses, or go back to what is required by itself with"
              + " deleteRequiredStatuses.");
    }
    if (needsCommand && !command) {
      warnings.add(
          "%s is required, but the repository has no test command that would give it."
              .formatted(MustPass.TEST_COMMAND));
    }
    List<String> others =
        required.stream().filter(name -> !name.equals(MustPass.TEST_COMMAND)).toList();
    boolean isSet = state.settings().requiredStatuses().isPresent();
    if (isSet && !others.isEmpty() && state.connection().protectionStatuses().isEmpty()) {
      warnings.add(
          "%s must be reported for each test branch by a CI system; where the forge is plain git,"
                  .formatted(StatusNames.of(others))
              + " with POST /v1/reportTestStatus.");
    }
  }
}
