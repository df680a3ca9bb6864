package dev.mainstay.server.forge;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.Host.Reaction;
import dev.mainstay.server.platform.Database;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The promise of talk: people command a queue at their forge, and read how all stands. */
public abstract class TalkContractTest {
  protected static final String WRITER = "wendy";
  protected static final String READER = "rick";
  protected static final String STRANGER = "sam";

  @TempDir private Path directory;
  protected TalkWorld world;
  protected TestNode node;
  protected QueueAtHost queue;
  protected CommitSha main;
  private Database database;

  protected abstract TalkWorld world(Path directory);

  @BeforeEach
  void begin() {
    world = world(directory);
    main = world.forge().commit(Edit.on().says("Begin").file("a.txt", "1\n").file("b.txt", "1\n"));
    world.forge().push("main", main);
    world.may(WRITER, Permission.WRITE);
    world.may(READER, Permission.READ);
    Database.Address address = TestDatabase.withTables();
    node = TestNode.start(address, new MovableClock());
    database = Database.connect(address, 1);
    queue = new QueueAtHost(node);
  }

  @AfterEach
  void end() {
    node.close();
    database.close();
    world.close();
  }

  /** Connects, and waits until somebody listens. */
  protected void connect(String settings) {
    String secret = queue.ok("connectRepository", world.connection()).path("hookSecret").asString();
    world.connected(node, secret);
    queue.ok("createQueue", "'targetBranch':'main'" + world.queue() + settings);
    until(
        () ->
            database.query(
                h ->
                    h.select(
                            "SELECT count(*) FROM conversation WHERE comments IS NOT NULL AND covers IS NOT NULL")
                        .mapTo(Long.class)
                        .one()),
        listening -> listening == 1);
  }

  protected CommitSha open(int number) {
    CommitSha head =
        world.forge().commit(Edit.on(main).says("Change " + number).file(number + ".txt", "1"));
    world.forge().open(number, head);
    return head;
  }

  /** Somebody says it, and hooks tell, one more than there should be. */
  protected long say(String who, int pr, String text) {
    long id = world.say(who, pr, text);
    world.hook();
    world.hook();
    return id;
  }

  protected void done(long comment) {
    until(() -> world.answers(comment), all -> all.equals(List.of(Reaction.DONE)));
  }

  protected void refused(long comment) {
    until(() -> world.answers(comment), all -> all.equals(List.of(Reaction.REFUSED)));
  }

  protected void says(int pr, String words) {
    until(() -> world.ours(pr).toString(), text -> text.contains(words));
    assertThat(world.ours(pr)).hasSize(1);
  }

  protected boolean isSubmitted(int pr) {
    return queue
            .call(
                "getSubmittedPullRequest", "'targetBranch':'main','pr':{'number':%d}".formatted(pr))
            .status()
        == 200;
  }

  protected void awaits(String state) {
    until(
        () -> queue.call("getSubmittedPullRequest", "'targetBranch':'main','pr':{'number':1}"),
        answer -> answer.status() == 200 && answer.json().path("state").asString().equals(state));
  }

  @Test
  void commands_are_done_once_for_those_who_may_and_one_comment_follows() {
    connect("");
    open(1);
    long bot = world.bot().map(name -> world.say(name, 1, "/mainstay merge")).orElse(0L);
    long stranger = world.say(STRANGER, 1, "/mainstay merge");
    long twenty = world.say(WRITER, 1, "/mainstay merge\n".repeat(20));
    refused(say(READER, 1, "/mainstay merge"));
    refused(stranger);
    refused(twenty);
    says(1, "@rick: only people with write permission");
    assertThat(isSubmitted(1)).isFalse();
    world.bot().ifPresent(any -> assertThat(world.answers(bot)).as("a bot").isEmpty());

    long edited = say(WRITER, 1, "Nice.");
    long merge = say(WRITER, 1, "x".repeat(60_000) + "\r\n/Mainstay merge --priority high\r\n");
    done(merge);
    assertThat(queue.pr("getSubmittedPullRequest", 1).path("priorityName").asString())
        .isEqualTo("high");
    world.edit(WRITER, edited, "/mainstay cancel");
    world.delete(WRITER, merge);
    world.hook();
    says(1, "Testing, 1st in line");

    world.may(WRITER, Permission.READ);
    refused(say(WRITER, 1, "/mainstay cancel"));
    world.report(new CommitSha(queue.tested(1)), true);
    world.hook();
    queue.await(1, "MERGED");
    says(1, "Merged as");
    assertThat(world.answers(edited)).as("an edit").isEmpty();
  }

  @Test
  void labels_and_the_merge_button_submit_and_cancel() {
    open(1);
    open(2);
    world.label(WRITER, 2, "ready");
    world.label(WRITER, 1, "bug");
    connect(",'enqueueingLabel':'ready','labelCommandsEnabled':true,'stateLabelsEnabled':true");

    if (world.readersLabel()) {
      world.label(READER, 1, "ready");
      world.hook();
      says(1, "@rick: only people");
      world.unlabel(READER, 1, "ready");
    }
    done(say(WRITER, 1, "/mainstay help"));
    assertThat(isSubmitted(1)).isFalse();
    world.label(WRITER, 1, "ready");
    world.hook();
    awaits("TESTING");
    until(() -> world.labels(1), all -> all.equals(Set.of("bug", "ready", "mainstay: testing")));
    world.unlabel(WRITER, 1, "ready");
    world.hook();
    awaits("CANCELLED");
    until(() -> world.labels(1), all -> all.equals(Set.of("bug")));

    world.label(WRITER, 1, "mainstay/merge");
    world.hook();
    awaits("TESTING");
    until(() -> world.labels(1), all -> all.equals(Set.of("bug", "mainstay: testing")));
    if (world.readersLabel()) {
      world.label(READER, 1, "mainstay/cancel");
      world.hook();
      says(1, "@rick: only people");
      until(() -> world.labels(1), all -> all.equals(Set.of("bug", "mainstay: testing")));
    }
    world.label(WRITER, 1, "mainstay/cancel");
    world.hook();
    awaits("CANCELLED");

    pressed();
    assertThat(isSubmitted(2)).as("its label was there before anybody looked").isFalse();
  }

  /** The forge's own button; what came of it is heard with whatever is said next. */
  protected void pressed() {
    world.arm(WRITER, 1);
    say(WRITER, 1, "Now.");
    awaits("TESTING");
    world.disarm(WRITER, 1);
    say(WRITER, 1, "Not now.");
    awaits("CANCELLED");
  }
}
