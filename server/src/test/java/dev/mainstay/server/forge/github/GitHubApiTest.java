package dev.mainstay.server.forge.github;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.Forge.Look;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.Host.Status;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.github.FakeFaults.Fault;
import dev.mainstay.server.forge.github.FakeProtection.Required;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** GitHub's own ways: checks by two doors, rules, limits, answers that break off. */
class GitHubApiTest extends ForgeScene {
  @Override
  protected ForgeWorld world(Path directory) {
    return GitHubForgeTest.world(directory, false);
  }

  private FakeGitHub github() {
    return ((GitHubWorld) world).github;
  }

  private Host host() {
    return forge.host().orElseThrow();
  }

  private Map<String, Verdict> verdicts() {
    return host().statuses(main).stream()
        .collect(java.util.stream.Collectors.toMap(Status::name, Status::verdict));
  }

  @ParameterizedTest
  @CsvSource({
    "success, SUCCESS",
    "skipped, SUCCESS",
    "neutral, SUCCESS",
    "failure, FAILURE",
    "timed_out, TIMED_OUT",
    "cancelled, CANCELLED",
    "stale, NONE",
    "startup_failure, NONE",
    "action_required, NONE",
    "something new, NONE"
  })
  void conclusions_of_checks_are_read(String conclusion, Verdict verdict) {
    github().checks.report(main.value(), "build", 1, Optional.of(conclusion));
    assertThat(verdicts()).containsExactly(Map.entry("build", verdict));
  }

  @Test
  void a_check_and_a_status_of_one_name_must_both_pass() {
    github().checks.report(main.value(), "build", 1, Optional.of("success"));
    github().checks.status(main.value(), "build", "failure");
    github().checks.report(main.value(), "lint", 1, Optional.empty());
    github().checks.status(main.value(), "lint", "success");
    github().checks.status(main.value(), "docs", "success");
    github().checks.status(main.value(), "mainstay", "failure");
    assertThat(verdicts())
        .containsOnly(
            Map.entry("build", Verdict.FAILURE),
            Map.entry("lint", Verdict.PENDING),
            Map.entry("docs", Verdict.SUCCESS));
    github().checks.status(main.value(), "build", "success");
    github().checks.report(main.value(), "lint", 1, Optional.of("success"));
    assertThat(verdicts().values()).containsOnly(Verdict.SUCCESS);
  }

  @Test
  void the_newest_of_more_than_a_page_of_checks_count() {
    for (int i = 0; i < 230; i++) {
      github().checks.report(main.value(), "check " + i, 1, Optional.of("success"));
    }
    assertThat(verdicts()).hasSize(230);
    assertThat(host().statuses(new CommitSha("e".repeat(40)))).isEmpty();
  }

  @Test
  void required_checks_are_those_of_protection_and_of_rules_but_not_ours() {
    assertThat(forge.requiredStatuses("main")).isEmpty();
    github().protection.classic.add(new Required("build", 0));
    github().protection.classic.add(new Required("mainstay", 0));
    github().protection.ruled.add(new Required("build", 0));
    github().protection.ruled.add(new Required("lint", 7));
    assertThat(forge.requiredStatuses("main").orElseThrow()).containsExactly("build", "lint");
    assertThat(forge.requiredStatuses("nowhere")).isEmpty();
    assertThat(forge.requiredStatuses("../../x")).isEmpty();
  }

  @Test
  void a_check_that_only_one_app_may_report_is_taken_from_no_other() {
    github().protection.ruled.add(new Required("lint", 7));
    forge.requiredStatuses("main");
    github().checks.report(main.value(), "lint", 8, Optional.of("success"));
    assertThat(verdicts()).isEmpty();
    github().checks.report(main.value(), "lint", 7, Optional.of("failure"));
    assertThat(verdicts()).containsExactly(Map.entry("lint", Verdict.FAILURE));
  }

  private List<String> obstacles() {
    return forge.pullRequest(ONE, "main").orElseThrow().obstacles();
  }

  private FakePull guarded() {
    open(1, Edit.on(main).file("one.txt", "1\n"));
    return github().pulls.pull(1);
  }

  @Test
  void missing_approvals_are_an_obstacle_until_they_are_there() {
    FakePull pull = guarded();
    assertThat(obstacles()).isEmpty();
    github().protection.approvals = 2;
    pull.reviews.add(new FakePull.Review("bob", "APPROVED"));
    assertThat(obstacles()).containsExactly("It needs 2 approvals and has 1.");
    pull.reviews.add(new FakePull.Review("eve", "CHANGES_REQUESTED"));
    assertThat(obstacles()).containsExactly("Changes are requested by eve.");
    pull.reviews.removeLast();
    pull.reviews.add(new FakePull.Review("eve", "APPROVED"));
    assertThat(obstacles()).isEmpty();
  }

  @Test
  void open_conversations_are_an_obstacle_where_a_rule_says_so() {
    FakePull pull = guarded();
    pull.openConversations = 2;
    github().protection.restrictsUpdates = true;
    assertThat(obstacles()).isEmpty();
    github().protection.resolvedConversations = true;
    assertThat(obstacles()).containsExactly("2 conversations are not resolved.");
  }

  @Test
  void a_required_check_is_an_obstacle_only_where_it_failed() {
    FakePull pull = guarded();
    github().protection.ruled.add(new Required("build", 0));
    github().protection.ruled.add(new Required("mainstay", 0));
    assertThat(obstacles()).isEmpty();
    github().checks.report(pull.head, "build", 1, Optional.of("failure"));
    assertThat(obstacles()).containsExactly("The required check build failed on its head.");
  }

  @Test
  void whether_it_merges_is_known_before_github_knows() {
    FakePull pull = guarded();
    pull.timesUnknown = 5;
    github().protection.approvals = 1;
    var view = forge.pullRequest(ONE, "main").orElseThrow();
    assertThat(view.mergeability())
        .isEqualTo(dev.mainstay.server.forge.Forge.Mergeability.MERGEABLE);
    assertThat(view.obstacles()).containsExactly("It needs 1 approval and has 0.");
  }

  @Test
  void our_comment_is_one_and_stays_ours() {
    open(1, Edit.on(main).file("one.txt", "1\n"));
    github().talk.say(1, "eve", "<!-- mainstay -->\nI was here first.");
    host().comment(ONE, "Third in line.");
    host().comment(ONE, "Second in line.");
    world.node().host().orElseThrow().comment(ONE, "Next.");
    assertThat(github().talk.comments(1)).hasSize(2);
    assertThat(github().talk.comments(1).getFirst().text()).endsWith("I was here first.");
    assertThat(github().talk.comments(1).getLast().text()).endsWith("Next.");
  }

  @Test
  void permissions_are_known_of_members_and_none_of_others() {
    github().talk.permission("ada", "admin");
    github().talk.permission("bob", "write");
    github().talk.permission("eve", "read");
    assertThat(host().permission("ada")).isEqualTo(Permission.ADMIN);
    assertThat(host().permission("bob")).isEqualTo(Permission.WRITE);
    assertThat(host().permission("eve")).isEqualTo(Permission.READ);
    assertThat(host().permission("stranger")).isEqualTo(Permission.NONE);
    assertThat(host().permission("../../x")).isEqualTo(Permission.NONE);
  }

  @Test
  void a_test_pull_request_is_a_draft_opened_once_and_not_seen_as_one_of_the_authors() {
    built("mainstay/main/r1", main, head(1, Edit.on(main).file("one.txt", "1\n")));
    var test = new Host.TestPullRequest("mainstay/main/r1", "main", "Test", "Do not merge.");
    github().faults.next("POST pulls", new Fault.AfterWork(500));
    assertThatThrownBy(() -> host().open(test)).isInstanceOf(ForgeUnavailable.class);
    PullRequestRef opened = host().open(test);
    assertThat(host().open(test)).isEqualTo(opened);
    assertThat(github().pulls.pull(opened.number()).draft).isTrue();
    assertThat(forge.heads().pullRequests()).containsOnlyKeys(ONE);
    host().close(opened);
    host().close(opened);
    assertThat(github().pulls.pull(opened.number()).open).isFalse();
  }

  @Test
  void a_cancelled_workflow_is_tried_again_and_one_that_nobody_needs_is_stopped() {
    var run = github().actions.start(main.value(), "CI");
    github().checks.report(main.value(), "build", FakeChecks.ACTIONS, Optional.of("cancelled"));
    host().stop(main);
    host().stop(main);
    assertThat(run.get("conclusion").asString()).isEqualTo("cancelled");
    assertThat(host().rerun(main, "build")).isTrue();
    assertThat(run.get("status").asString()).isEqualTo("queued");
    assertThat(host().rerun(main, "unknown")).isFalse();
  }

  @Test
  void a_look_without_news_costs_no_answer() {
    for (int i = 1; i <= 120; i++) {
      github().pulls.add(new FakePull(i, "ada", Optional.empty(), "main", main.value()));
    }
    Look.Seen seen = (Look.Seen) forge.look(Optional.empty());
    assertThat(seen.heads().pullRequests()).hasSize(120);
    int before = github().faults.count("unchanged");
    assertThat(forge.look(Optional.of(seen.mark()))).isEqualTo(new Look.Unchanged());
    assertThat(github().faults.count("unchanged") - before).isEqualTo(2);
    github().pulls.pull(115).close();
    Look.Seen then = (Look.Seen) forge.look(Optional.of(seen.mark()));
    assertThat(then.heads().pullRequests()).hasSize(119);
  }

  @Test
  void thousands_of_open_pull_requests_are_seen_and_looked_at_for_nothing() {
    for (int i = 1; i <= 3_000; i++) {
      github().pulls.list(new FakePull(i, "ada", Optional.empty(), "main", main.value()));
    }
    Look.Seen seen = (Look.Seen) forge.look(Optional.empty());
    assertThat(seen.heads().pullRequests()).hasSize(3_000);
    int before = github().faults.count("unchanged");
    assertThat(forge.look(Optional.of(seen.mark()))).isEqualTo(new Look.Unchanged());
    assertThat(github().faults.count("unchanged") - before).isEqualTo(30);
  }

  @Test
  void limits_say_when_to_come_again() {
    github().faults.next("GET pulls", 502);
    assertThat(unavailable().isOfHost()).isTrue();
    assertThat(forge.heads().branches()).containsKey("main");
    github().faults.next("GET pulls", new Fault.Instead(403, Map.of("retry-after", "77")));
    assertThat(unavailable().retryAfter()).contains(Duration.ofSeconds(77));
  }

  @Test
  void answers_that_break_off_or_are_no_answers_are_asked_again_later() {
    github().faults.next("GET pulls", new Fault.CutOff());
    assertThat(unavailable().isOfHost()).isTrue();
    github().faults.next("GET pulls", new Fault.Garbage("<html>Unicorn!</html>"));
    assertThat(unavailable().isOfHost()).isTrue();
    github().faults.next("GET pulls", new Fault.Garbage("{\"a\": 1}"));
    assertThat(unavailable().isOfHost()).isTrue();
    open(1, Edit.on(main).file("one.txt", "1\n"));
    github().faults.next("GET pulls/N", new Fault.Garbage("{\"head\": {\"sha\": \"--all\"}}"));
    assertThatThrownBy(() -> forge.pullRequest(ONE, "main")).isInstanceOf(ForgeUnavailable.class);
    assertThat(forge.pullRequest(ONE, "main")).isPresent();
  }

  /** GitHub's own example of a pull request is like that. */
  @Test
  void an_open_one_is_open_though_it_has_a_time_of_its_merge() {
    String head = open(1, Edit.on(main).file("one.txt", "1\n")).value();
    String json =
        """
        {"state": "open", "merged": false, "merged_at": "2011-01-26T19:01:12Z",
         "mergeable_state": "clean", "head": {"sha": "%s"}, "base": {"ref": "main"}}
        """
            .formatted(head);
    github().faults.next("GET pulls/N", new Fault.Garbage(json));
    assertThat(forge.pullRequest(ONE, "main").orElseThrow().status()).isEqualTo(Forge.Status.OPEN);
  }

  private ForgeUnavailable unavailable() {
    return assertThrows(ForgeUnavailable.class, forge::heads);
  }

  @Test
  void a_token_that_was_revoked_is_said_to_be_refused_and_never_shown() {
    github().tokens.revokeAll();
    assertThatThrownBy(() -> host().statuses(main))
        .isInstanceOf(CredentialsRefused.class)
        .hasMessageNotContaining(FakeGitHub.TOKEN);
    assertThatThrownBy(forge::heads)
        .isInstanceOf(CredentialsRefused.class)
        .hasMessageNotContaining(FakeGitHub.TOKEN);
  }
}
