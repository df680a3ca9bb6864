package dev.mainstay.server.forge.gitlab;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.Host.Reaction;
import dev.mainstay.server.forge.TalkContractTest;
import dev.mainstay.server.forge.TalkWorld;
import dev.mainstay.server.forge.github.FakeFaults.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** People at the fake GitLab command a queue, and read how their merge requests stand. */
class TalkOnGitLabTest extends TalkContractTest {
  private static final String CANCEL = "POST merge_requests/N/cancel_merge_when_pipeline_succeeds";

  @Override
  protected TalkWorld world(Path directory) {
    var project = new GitLabWorld(directory, true);
    project.gitlab.startsPipelines = true;
    return new GitLabTalkers(project);
  }

  private FakeGitLab gitlab() {
    return ((GitLabTalkers) world).forge().gitlab;
  }

  private <T> T at(Function<FakeGitLab, T> question) {
    synchronized (gitlab()) {
      return question.apply(gitlab());
    }
  }

  /** GitLab's own merge would not wait for the queue, so it is taken back once that took over. */
  @Override
  protected void pressed() {
    world.arm(WRITER, 1);
    world.hook();
    awaits("TESTING");
    until(() -> at(g -> g.requests.of(1).armedBy), Optional::isEmpty);
    says(1, "@wendy: the queue merges it now");
    assertThat(at(TalkOnGitLabTest::staysOpen)).isTrue();
    done(say(WRITER, 1, "/mainstay help"));
    awaits("TESTING");
    done(say(WRITER, 1, "/mainstay cancel"));
    awaits("CANCELLED");
    until(() -> world.labels(1), all -> all.equals(Set.of("bug")));

    at(g -> g.signs.keepsArmed = true);
    world.arm(WRITER, 1);
    world.hook();
    awaits("TESTING");
    until(() -> gitlab().faults.count(CANCEL), count -> count > 1);
    done(say(WRITER, 1, "/mainstay help"));
    awaits("TESTING");
    world.disarm(WRITER, 1);
    world.hook();
    awaits("CANCELLED");
  }

  /** Also when the pipeline of its head has succeeded. */
  private static boolean staysOpen(FakeGitLab gitlab) {
    gitlab.signs.green(1);
    return gitlab.requests.of(1).isOpen();
  }

  @Test
  void what_was_answered_when_gitlab_broke_down_is_neither_done_nor_answered_twice() {
    connect("");
    open(1);
    gitlab().faults.next("POST merge_requests/N/notes/ID/award_emoji", new Fault.AfterWork(502));
    long merge = say(WRITER, 1, "/mainstay merge");
    awaits("TESTING");
    queue.pr("cancelPullRequest", 1);
    until(
        () -> {
          node.clock().advance(Duration.ofSeconds(31));
          return gitlab().faults.count("POST merge_requests/N/notes/ID/award_emoji");
        },
        count -> count == 2);
    done(say(WRITER, 1, "/mainstay help"));
    assertThat(world.answers(merge)).containsExactly(Reaction.DONE);
    assertThat(queue.pr("getSubmittedPullRequest", 1).path("state").asString())
        .isEqualTo("CANCELLED");
  }

  @Test
  void bots_of_any_name_and_a_person_who_is_gone_command_nothing() {
    connect("");
    open(1);
    at(g -> g.people.bots.add("harmless-name"));
    world.may("harmless-name", Permission.ADMIN);
    world.may("project_4242_bot_77", Permission.ADMIN);
    long account = world.say("harmless-name", 1, "/mainstay merge");
    long token = world.say("project_4242_bot_77", 1, "/mainstay merge");
    long issue = at(g -> g.notes.sayOnIssue(1, WRITER, "/mainstay merge"));
    long gone = world.say(WRITER, 1, "/mainstay merge");
    world.delete(WRITER, gone);
    refused(say(WRITER, 1, "/mainstay cancel"));
    says(1, "It is not in the queue");
    assertThat(world.answers(account)).isEmpty();
    assertThat(world.answers(token)).isEmpty();
    assertThat(world.answers(issue)).isEmpty();
  }

  /** A merge request of which GitLab does not see that it landed is closed with a comment. */
  @Test
  void what_the_landing_says_and_what_the_talk_says_are_one_comment() {
    connect(",'rewriteHeadBranches':false");
    open(1);
    at(g -> g.requests.refusal = Optional.of("not now"));
    done(say(WRITER, 1, "/mainstay merge"));
    CommitSha tested = new CommitSha(queue.tested(1));
    // Both wrote the first one at the same moment.
    at(g -> g.notes.say(1, FakeGitLab.LOGIN, "<!-- mainstay -->\nThis landed."));
    world.report(tested, true);
    world.hook();
    queue.await(1, "MERGED");
    until(() -> at(g -> g.requests.of(1).state), state -> state.equals("closed"));
    until(() -> world.ours(1), all -> all.size() == 1 && all.getFirst().contains("**Merged as"));
  }
}
