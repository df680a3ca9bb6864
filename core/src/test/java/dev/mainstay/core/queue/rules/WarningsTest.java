package dev.mainstay.core.queue.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WarningsTest {
  private static QueueState queue(Connection connection, Optional<List<String>> required) {
    QueueSettings settings = QueueSettings.defaults().edit().requiredStatuses(required).build();
    return QueueState.empty("main", Optional.empty(), settings, connection);
  }

  private static Connection forge(boolean testCommand, String... protection) {
    return new Connection(true, List.of(protection), testCommand);
  }

  @Test
  void what_works_is_not_warned_of() {
    assertThat(Warnings.of(queue(forge(true), Optional.empty()))).isEmpty();
    assertThat(Warnings.of(queue(forge(false, "ci"), Optional.empty()))).isEmpty();
    assertThat(Warnings.of(queue(forge(true), Optional.of(List.of("mainstay/test"))))).isEmpty();
    assertThat(Warnings.of(queue(forge(false), Optional.of(List.of())))).isEmpty();
  }

  @Test
  void a_test_command_that_nothing_requires_is_never_run() {
    for (QueueState state :
        List.of(
            queue(forge(true), Optional.of(List.of())),
            queue(forge(true, "ci"), Optional.empty()))) {
      assertThat(Warnings.of(state)).singleElement().asString().contains("is never run");
    }
  }

  @Test
  void statuses_beside_the_test_command_must_come_from_elsewhere() {
    assertThat(Warnings.of(queue(forge(true), Optional.of(List.of("mainstay/test", "ci")))))
        .singleElement()
        .asString()
        .startsWith("ci must be reported");
  }

  @Test
  void of_many_statuses_the_first_few_are_named() {
    assertThat(StatusNames.of(List.of("a"))).isEqualTo("a");
    assertThat(StatusNames.of(List.of("a", "b", "c"))).isEqualTo("a, b and c");
    assertThat(StatusNames.of(List.of("a", "b", "c", "d", "e"))).isEqualTo("a, b, c, d and e");
    assertThat(StatusNames.of(List.of("a", "b", "c", "d", "e", "f", "g")))
        .isEqualTo("a, b, c, d, e and 2 more");
  }

  @Test
  void a_missing_branch_is_warned_of_until_it_is_seen() {
    QueueState state = queue(forge(true), Optional.empty());
    QueueState missing = on(new QueueEvent.TargetBranchSeen(false), state);
    assertThat(Warnings.of(missing)).singleElement().asString().contains("no branch main");
    assertThat(Warnings.of(on(new QueueEvent.TargetBranchSeen(true), missing))).isEmpty();
  }

  private static QueueState on(QueueEvent event, QueueState state) {
    return Engine.on(event, state, Instant.EPOCH).after();
  }
}
