package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.HostedForge;
import dev.mainstay.server.queue.store.ConversationStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A queue at a host where people talk, with one node that does what is due when told to. */
abstract class TalkScene {
  @TempDir private Path directory;
  QueueScene scene;
  QueueNode node;
  final TalkativeHost host = new TalkativeHost();

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    scene.connect(Optional.empty());
    scene.repository.open(1, "change 1");
    scene.repository.open(2, "change 2");
    node = another();
  }

  /** What the host can do, by all nodes that start from now on. */
  Abilities abilities() {
    return TalkativeHost.ABLE;
  }

  QueueNode another() {
    return scene.node(git -> new HostedForge(git, abilities(), Optional.of(host)));
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  void listening(QueueSettings settings) {
    scene.create(settings);
    node.runUntil(() -> host.asked > 0);
  }

  void listening() {
    listening(required("ci"));
  }

  /** Somebody says it, and a hook tells. */
  int say(int pr, String who, String text) {
    int id = host.say(pr, who, text);
    hook();
    return id;
  }

  void hook() {
    node.database.useTransaction(
        h ->
            ConversationStore.askFor(
                h, h.select("SELECT repository_id FROM conversation").mapTo(Long.class).list()));
    node.round();
  }

  void set(UnaryOperator<QueueSettings> edit) {
    node.queues.update(scene.main, edit, false, Optional.empty());
  }

  List<String> answers() {
    return host.reactions;
  }

  Optional<PullRequestState> state(int number) {
    return node.queues.pullRequests().pullRequest(scene.main, new PullRequestRef(number))
            instanceof Outcomes.Shown(PullRequestView view)
        ? Optional.of(view.state())
        : Optional.empty();
  }

  boolean isIn(int number) {
    return state(number).filter(s -> s != PullRequestState.CANCELLED).isPresent();
  }
}
