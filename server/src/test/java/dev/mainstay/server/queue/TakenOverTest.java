package dev.mainstay.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A host's own merge that would go past the queue: it is a command, and is taken back. */
class TakenOverTest extends TalkScene {
  @Override
  Abilities abilities() {
    return TalkativeHost.DISARMING;
  }

  @Test
  void the_merge_of_the_host_is_taken_back_once_the_queue_has_it() {
    host.arm(2, "ann");
    listening();
    hook();
    assertThat(host.armed).as("it was pressed before anybody looked").containsKey(2);
    host.arm(1, "reader");
    hook();
    assertThat(isIn(1)).isFalse();
    assertThat(host.armed).as("it was not taken over").containsKey(1);
    host.takeBack(1);
    hook();

    host.arm(1, "ann");
    hook();
    assertThat(isIn(1)).isTrue();
    assertThat(host.armed).containsOnlyKeys(2);
    assertThat(host.ours(1)).contains("> @ann: the queue merges it now");
    hook();
    assertThat(isIn(1)).as("our own deed is no command").isTrue();
    host.arm(1, "ann");
    hook();
    hook();
    assertThat(isIn(1)).isTrue();
    assertThat(host.armed).containsOnlyKeys(2);
    assertThat(host.disarmed).isEqualTo(2);
  }

  @Test
  void one_that_somebody_took_back_meanwhile_is_cancelled() {
    listening();
    host.arm(1, "ann");
    host.disarmedBy = Optional.of("ann");
    hook();
    hook();
    assertThat(isIn(1)).isFalse();
  }

  @Test
  void where_it_cannot_be_taken_back_taking_it_back_cancels() {
    listening();
    host.arm(1, "ann");
    host.onDisarm = Optional.of(new CredentialsRefused("You may not."));
    hook();
    assertThat(isIn(1)).isTrue();
    hook();
    assertThat(isIn(1)).isTrue();
    host.takeBack(1);
    hook();
    assertThat(isIn(1)).isFalse();
  }

  @Test
  void a_crash_before_it_was_taken_back_leaves_that_to_the_next() {
    listening();
    host.arm(1, "ann");
    host.onDisarm = Optional.of(ForgeUnavailable.ofHost("The host is down."));
    hook();
    assertThat(isIn(1)).isTrue();
    node.endSession();
    host.onDisarm = Optional.empty();
    QueueNode next = another();
    next.runUntil(() -> host.armed.isEmpty());
    assertThat(host.disarmed).isEqualTo(1);
    assertThat(isIn(1)).isTrue();
  }
}
