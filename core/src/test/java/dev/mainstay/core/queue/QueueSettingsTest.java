package dev.mainstay.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueSettings.Fault;
import dev.mainstay.core.queue.QueueSettings.InvalidSettings;
import dev.mainstay.core.queue.QueueSettings.MergeMethod;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class QueueSettingsTest {
  @Test
  void a_queue_begins_with_the_defaults_of_the_contract() {
    assertThat(QueueSettings.defaults())
        .isEqualTo(
            new QueueSettings(
                Mode.SINGLE,
                5,
                Optional.empty(),
                300,
                0,
                false,
                false,
                4,
                5,
                MergeMethod.SQUASH,
                DirectMergeMode.OFF,
                OptimizationMode.OFF,
                Optional.empty(),
                true,
                true,
                true,
                false,
                false,
                Optional.empty(),
                false,
                false,
                false,
                List.of(),
                List.of(),
                true,
                0,
                1,
                Sizing.FIXED,
                Sizing.FIXED));
    assertThat(QueueSettings.defaults().bisectionSlots()).isEqualTo(5);
    assertThat(QueueSettings.defaults().prefixes()).containsExactly("/mainstay");
  }

  @Test
  void the_ends_of_every_range_are_allowed() {
    accepts(s -> s.concurrency(1).bisectionConcurrency(Optional.of(1)));
    accepts(s -> s.concurrency(1000).bisectionConcurrency(Optional.of(1000)));
    accepts(s -> s.testingTimeoutMinutes(0).pendingFailureDepth(0));
    accepts(s -> s.testingTimeoutMinutes(10_080).pendingFailureDepth(100));
    accepts(s -> s.batchingMinSize(1).batchingMaxWaitTimeMinutes(0));
    accepts(s -> s.batchingMinSize(100).batchingMaxWaitTimeMinutes(1440));
    accepts(s -> s.speculationBudget(0));
    accepts(s -> s.speculationBudget(10).flakeRetries(0));
    accepts(s -> s.flakeRetries(5));
  }

  @Test
  void what_lies_outside_is_refused() {
    refuses(s -> s.concurrency(0), "concurrency");
    refuses(s -> s.concurrency(1001), "concurrency");
    refuses(s -> s.bisectionConcurrency(Optional.of(0)), "bisectionConcurrency");
    refuses(s -> s.bisectionConcurrency(Optional.of(1001)), "bisectionConcurrency");
    refuses(s -> s.testingTimeoutMinutes(-1), "testingTimeoutMinutes");
    refuses(s -> s.testingTimeoutMinutes(10_081), "testingTimeoutMinutes");
    refuses(s -> s.pendingFailureDepth(-1), "pendingFailureDepth");
    refuses(s -> s.pendingFailureDepth(101), "pendingFailureDepth");
    refuses(s -> s.flakeRetries(-1), "flakeRetries");
    refuses(s -> s.flakeRetries(6), "flakeRetries");
    refuses(s -> s.batchingMinSize(0), "batchingMinSize");
    refuses(s -> s.batchingMinSize(101), "batchingMinSize");
    refuses(s -> s.batchingMaxWaitTimeMinutes(-1), "batchingMaxWaitTimeMinutes");
    refuses(s -> s.batchingMaxWaitTimeMinutes(1441), "batchingMaxWaitTimeMinutes");
  }

  @Test
  void every_fault_is_named() {
    refuses(s -> s.concurrency(0).batchingMinSize(0), "concurrency", "batchingMinSize");
  }

  @Test
  void editing_keeps_what_is_not_changed() {
    QueueSettings settings =
        QueueSettings.defaults().edit().concurrency(7).commentsEnabled(false).build();
    assertThat(settings.edit().build()).isEqualTo(settings);
  }

  @Test
  void priorities_have_the_values_of_the_contract() {
    assertThat(List.of(Priority.URGENT, Priority.HIGH, Priority.MEDIUM, Priority.LOW))
        .extracting(Priority::value)
        .containsExactly(0, 10, 100, 200);
    assertThat(Priority.URGENT.name()).contains("urgent");
    assertThat(new Priority(42).name()).isEmpty();
    assertThatThrownBy(() -> new Priority(256)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Priority(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  private static void accepts(UnaryOperator<QueueSettings.Builder> change) {
    change.apply(QueueSettings.defaults().edit()).build();
  }

  private static void refuses(UnaryOperator<QueueSettings.Builder> change, String... settings) {
    assertThatThrownBy(() -> accepts(change))
        .asInstanceOf(type(InvalidSettings.class))
        .satisfies(
            e -> assertThat(e.faults()).extracting(Fault::setting).containsExactly(settings));
  }
}
