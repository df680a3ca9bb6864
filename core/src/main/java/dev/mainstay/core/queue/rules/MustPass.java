package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import java.util.List;
import java.util.Optional;

/**
 * The statuses a test run must pass: those set for the queue; else what the forge's branch
 * protection requires; else the repository's own test command. An empty list set on purpose
 * requires nothing. Where none of them is there, nothing can prove a change.
 */
public final class MustPass {
  static final String TEST_COMMAND = "mainstay/test";

  private MustPass() {}

  public static Optional<List<String>> statuses(QueueState state) {
    return statuses(state.settings(), state.connection());
  }

  static Optional<List<String>> statuses(QueueSettings settings, Connection connection) {
    if (settings.requiredStatuses().isPresent()) {
      return settings.requiredStatuses();
    }
    if (!connection.protectionStatuses().isEmpty()) {
      return Optional.of(connection.protectionStatuses());
    }
    return connection.hasTestCommand() ? Optional.of(List.of(TEST_COMMAND)) : Optional.empty();
  }
}
