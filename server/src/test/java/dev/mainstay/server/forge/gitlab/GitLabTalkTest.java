package dev.mainstay.server.forge.gitlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.Host.Comment;
import dev.mainstay.server.forge.Host.Deed;
import dev.mainstay.server.forge.github.FakeFaults.Fault;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What GitLab tells of comments, labels and its merge button, and what we do with them. */
class GitLabTalkTest extends ForgeScene {
  private static final String ANN = "ann";

  @Override
  protected ForgeWorld world(Path directory) {
    return new GitLabWorld(directory, false);
  }

  @BeforeEach
  void request() {
    open(1, Edit.on(main).file("c", "1"));
  }

  private FakeGitLab gitlab() {
    return ((GitLabWorld) world).gitlab;
  }

  private Host host() {
    return forge.host().orElseThrow();
  }

  private String mark() {
    return host().comments(Optional.empty()).mark();
  }

  @Test
  void comments_are_told_once_in_their_order_whatever_is_edited_or_unseen() {
    assertThat(mark()).isEqualTo("0");
    int before = gitlab().notes.say(1, ANN, "/mainstay merge");
    String mark = mark();
    assertThat(host().comments(Optional.of(mark)).all()).isEmpty();
    gitlab().notes.edit(before, "/mainstay cancel");
    gitlab().notes.sayOnIssue(1, ANN, "/mainstay merge");
    gitlab().notes.eventsOfSystem = true;
    gitlab().notes.tell(1, ANN, "/mainstay merge");
    int deleted = gitlab().notes.say(1, ANN, "/mainstay merge");
    gitlab().notes.delete(deleted);
    for (int i = 0; i < 250; i++) {
      gitlab().notes.say(1, ANN, "/mainstay help " + i);
      if (i == 200) {
        gitlab().notes.say(1, ANN, "not to be seen");
        gitlab().notes.hiddenEvent = gitlab().notes.event();
      }
    }
    Host.Comments next = host().comments(Optional.of(mark));
    assertThat(next.all()).hasSize(250).allMatch(c -> c.author().equals(ANN) && !c.bot());
    assertThat(next.all()).extracting(Comment::pr).containsOnly(ONE);
    assertThat(next.all().getFirst().lines()).containsExactly("/mainstay help 0");
    assertThat(next.all().getLast().lines()).containsExactly("/mainstay help 249");
    assertThat(host().comments(Optional.of(next.mark())).all()).isEmpty();
    assertThat(gitlab().faults.count("GET users/ID")).as("whether ann is a bot").isEqualTo(1);
    for (int i = 0; i < 1100; i++) {
      gitlab().notes.say(1, ANN, "Hm.");
    }
    assertThat(host().comments(Optional.of(next.mark())).all()).as("at most").hasSize(1000);
    gitlab().faults.next("GET events", new Fault.Instead(404, Map.of()));
    assertThatThrownBy(() -> mark()).isInstanceOf(ForgeUnavailable.class);
  }

  @Test
  void a_comment_that_shows_after_the_next_one_is_told_too_and_once() {
    for (int i = 0; i < 30; i++) {
      gitlab().notes.say(1, ANN, "/mainstay help");
    }
    String mark = mark();
    int late = gitlab().notes.say(1, ANN, "/mainstay merge");
    gitlab().notes.hiddenEvent = gitlab().notes.event();
    int first = gitlab().notes.say(1, ANN, "/mainstay cancel");
    Host.Comments one = host().comments(Optional.of(mark));
    assertThat(one.all()).extracting(Comment::id).containsExactly("" + first);
    gitlab().notes.hiddenEvent = 0;
    Host.Comments two = host().comments(Optional.of(one.mark()));
    assertThat(two.all()).extracting(Comment::id).containsExactly("" + late);
    assertThat(host().comments(Optional.of(two.mark())).all()).isEmpty();
  }

  private boolean isBot(String who) {
    String mark = mark();
    gitlab().notes.say(1, who, "/mainstay merge");
    return host().comments(Optional.of(mark)).all().getFirst().bot();
  }

  @Test
  void bots_are_known_by_what_gitlab_says_and_else_by_their_names() {
    gitlab().people.bots.add("renovate");
    assertThat(isBot("renovate")).isTrue();
    assertThat(isBot("group_17_bot_0a1b")).isTrue();
    assertThat(isBot("project_4_bot")).isTrue();
    assertThat(isBot("service_account_group_5_ab")).isTrue();
    assertThat(isBot("robert_bot")).isFalse();
    gitlab().faults.next("GET users/ID", new Fault.Instead(403, Map.of()));
    assertThat(isBot("somebody")).as("not to be asked").isFalse();
  }

  @Test
  void a_reaction_is_there_once_and_what_is_gone_does_not_matter() {
    int note = gitlab().notes.say(1, ANN, "/mainstay merge");
    host().react(ONE, "" + note, Host.Reaction.DONE);
    host().react(ONE, "" + note, Host.Reaction.DONE);
    host().react(ONE, "../x", Host.Reaction.DONE);
    assertThat(gitlab().notes.reactions(note)).containsExactly("thumbsup");
    host().react(ONE, "" + note, Host.Reaction.REFUSED);
    assertThat(gitlab().notes.reactions(note)).containsExactly("thumbsup", "thumbsdown");
    gitlab()
        .faults
        .next("POST merge_requests/N/notes/ID/award_emoji", new Fault.Instead(400, Map.of()));
    assertThatThrownBy(() -> host().react(ONE, "" + note, Host.Reaction.DONE))
        .isInstanceOf(ForgeUnavailable.class);
  }

  @Test
  void covers_follow_what_changed() {
    open(2, Edit.on(main).file("d", "1"));
    gitlab().signs.label(1, "ready", ANN);
    gitlab().requests.of(2).updated = gitlab().requests.of(1).updated.minusSeconds(5);
    Host.Covers all = host().covers(Optional.empty());
    assertThat(all.all()).containsOnlyKeys(ONE, TWO);
    assertThat(all.all().get(ONE)).isEqualTo(new Host.Cover("main", true, Set.of("ready"), false));
    assertThat(host().covers(Optional.of(all.mark())).all())
        .as("the last seconds are told again")
        .containsOnlyKeys(ONE, TWO);
    gitlab().requests.of(2).close();
    gitlab().requests.of(2).updated = gitlab().requests.of(1).updated.plusSeconds(60);
    Host.Covers next = host().covers(Optional.of(all.mark()));
    assertThat(next.all()).hasEntrySatisfying(TWO, closed -> assertThat(closed.open()).isFalse());
    assertThat(host().covers(Optional.of(next.mark())).all()).containsOnlyKeys(TWO);
    assertThat(host().cover(new PullRequestRef(99))).isEmpty();
    built("mainstay/main/r1", main);
    host().open(new Host.TestPullRequest("mainstay/main/r1", "main", "Test", ""));
    assertThat(host().covers(Optional.empty()).all()).as("no tests of ours").containsOnlyKeys(ONE);
  }

  @Test
  void labels_are_set_and_taken_in_one_call_and_it_is_known_who_did() {
    gitlab().signs.label(1, "ready", ANN);
    assertThat(host().labelled(ONE, "ready")).contains(new Deed("1", ANN, true));
    gitlab().signs.unlabel(1, "ready", "bob");
    assertThat(host().labelled(ONE, "ready")).contains(new Deed("2", "bob", false));
    assertThat(host().labelled(ONE, "other")).isEmpty();
    host().label(ONE, Set.of("mainstay: testing"), Set.of("ready"));
    host().label(ONE, Set.of("mainstay: passed"), Set.of("mainstay: testing"));
    host().label(ONE, Set.of(), Set.of());
    assertThat(gitlab().requests.of(1).labels).containsExactly("mainstay: passed");
    assertThat(gitlab().faults.count("PUT merge_requests/N")).isEqualTo(2);
  }

  @Test
  void it_is_known_who_had_gitlab_merge_and_who_took_that_back() {
    assertThat(host().armed(ONE)).isEmpty();
    gitlab().signs.arm(1, ANN);
    assertThat(host().cover(ONE).orElseThrow().armed()).isTrue();
    assertThat(host().armed(ONE)).contains(new Deed("", ANN, true));
    gitlab().signs.disarm(1, "bob");
    assertThat(host().cover(ONE).orElseThrow().armed()).isFalse();
    assertThat(host().armed(ONE).map(Deed::who)).contains("bob");
    assertThat(host().armed(ONE).map(Deed::set)).contains(false);
    gitlab().signs.arm(1, ANN);
    gitlab().signs.abort(1, "bob");
    assertThat(host().armed(ONE)).as("GitLab itself gave it up").isEmpty();
  }

  @Test
  void a_merge_by_gitlab_is_taken_back_unless_somebody_else_did_that() {
    gitlab().signs.arm(1, ANN);
    assertThat(host().disarm(ONE)).isTrue();
    assertThat(gitlab().requests.of(1).armedBy).isEmpty();
    assertThat(host().disarm(ONE)).as("once more, after a crash").isTrue();
    gitlab().signs.arm(1, ANN);
    gitlab().signs.disarm(1, ANN);
    assertThat(host().disarm(ONE)).isFalse();
    gitlab().signs.arm(1, ANN);
    gitlab().signs.keepsArmed = true;
    assertThatThrownBy(() -> host().disarm(ONE)).isInstanceOf(ForgeUnavailable.class);
  }

  @Test
  void a_merge_request_that_was_deleted_does_not_look_like_a_host_that_is_down() {
    gitlab().requests.remove(1);
    assertThatThrownBy(() -> host().comment(ONE, "Hello."))
        .isInstanceOf(ForgeUnavailable.class)
        .satisfies(e -> assertThat(((ForgeUnavailable) e).isOfHost()).isFalse());
    assertThat(host().labelled(ONE, "ready")).isEmpty();
    assertThat(host().armed(ONE)).isEmpty();
    assertThat(host().disarm(ONE)).isTrue();
    host().label(ONE, Set.of("x"), Set.of());
  }

  @Test
  void two_notes_of_ours_become_one() {
    gitlab().notes.say(1, FakeGitLab.LOGIN, GitLabPeople.MARKER + "\none");
    gitlab().notes.say(1, ANN, GitLabPeople.MARKER + "\nnot ours");
    gitlab().notes.say(1, FakeGitLab.LOGIN, GitLabPeople.MARKER + "\ntwo");
    host().comment(ONE, "three");
    assertThat(gitlab().notes.of(1))
        .extracting(FakeNotes.Note::text)
        .containsExactly(GitLabPeople.MARKER + "\nthree", GitLabPeople.MARKER + "\nnot ours");
  }
}
