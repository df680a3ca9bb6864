package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.CheckState;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Labels and the host's own merge button as commands, and labels that say how it stands. */
class SignsTest extends TalkScene {
  @Test
  void a_label_submits_and_taking_it_off_cancels() {
    host.put(2, "ready", "ann");
    listening(required("ci").edit().enqueueingLabel(Optional.of("ready")).build());
    hook();
    assertThat(isIn(2)).as("its label was there before").isFalse();
    assertThat(host.ours(2)).as("nobody asked for anything").isEmpty();
    host.put(1, "ready", "reader");
    hook();
    hook();
    assertThat(isIn(1)).isFalse();
    assertThat(host.ours(1)).contains("> @reader: only people with write permission");
    host.take(1, "ready", "reader");
    hook();
    host.put(1, "ready", "ann");
    hook();
    assertThat(isIn(1)).isTrue();
    assertThat(host.ours(1)).doesNotContain("only people");
    host.take(1, "ready", "reader");
    hook();
    assertThat(isIn(1)).as("a reader may not cancel").isTrue();
    host.put(1, "ready", "ann");
    hook();
    host.take(1, "ready", "ann");
    hook();
    assertThat(isIn(1)).isFalse();
    assertThat(host.labelled).as("no label of others is touched").isEmpty();

    set(s -> s.edit().enqueueingLabel(Optional.empty()).build());
    node.round();
    host.put(1, "ready", "ann");
    hook();
    set(s -> s.edit().enqueueingLabel(Optional.of("ready")).build());
    node.round();
    hook();
    assertThat(isIn(1)).as("it was set while nobody looked").isFalse();
  }

  @Test
  void labels_that_are_commands_act_once_and_are_taken_off() {
    listening(required("ci").edit().labelCommandsEnabled(true).build());
    host.put(1, "mainstay/merge", "ann");
    hook();
    assertThat(isIn(1)).isTrue();
    assertThat(host.labels.get(1)).isEmpty();
    hook();
    host.put(1, "mainstay/cancel", "reader");
    hook();
    assertThat(isIn(1)).isTrue();
    assertThat(host.labels.get(1)).isEmpty();
    host.put(1, "mainstay/cancel", "ann");
    hook();
    assertThat(isIn(1)).isFalse();
    assertThat(host.labels.get(1)).isEmpty();
  }

  @Test
  void one_label_of_ours_says_how_it_stands() {
    listening(required("ci").edit().stateLabelsEnabled(true).build());
    host.put(1, "bug", "ann");
    host.put(1, "mainstay: merged", "ann");
    say(1, "ann", "/mainstay merge");
    node.runUntil(() -> Set.of("bug", "mainstay: testing").equals(host.labels.get(1)));
    node.runUntil(() -> scene.repository.testBranches().size() == 1);
    scene.report(CheckState.SUCCESS);
    node.runUntil(() -> Set.of("bug", "mainstay: merged").equals(host.labels.get(1)));
    assertThat(scene.count("SELECT count(*) FROM state_label")).isZero();
    int done = host.labelled.size();
    node.round();
    hook();
    assertThat(host.labelled).hasSize(done);
  }

  @Test
  void the_merge_button_of_the_host_submits_and_taking_it_back_cancels() {
    host.arm(2, "ann");
    listening();
    hook();
    assertThat(isIn(2)).as("it was pressed before").isFalse();
    assertThat(host.ours(2)).as("nobody asked for anything").isEmpty();
    host.arm(1, "reader");
    hook();
    assertThat(isIn(1)).isFalse();
    host.takeBack(1);
    hook();
    host.arm(1, "ann");
    hook();
    assertThat(isIn(1)).isTrue();
    host.takeBack(1);
    hook();
    assertThat(isIn(1)).isFalse();
    assertThat(answers()).isEmpty();
  }
}
