package dev.mainstay.server.forge.gitlab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Finding.Level;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.Forge.Look;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.Host.Status;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.Purpose;
import dev.mainstay.server.forge.github.FakeFaults.Fault;
import dev.mainstay.server.platform.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What GitLab says of merge requests, pipelines, people and projects, and what we write there. */
class GitLabHostTest extends ForgeScene {
  @Override
  protected ForgeWorld world(Path directory) {
    return new GitLabWorld(directory, false);
  }

  private FakeGitLab gitlab() {
    return ((GitLabWorld) world).gitlab;
  }

  private Host host() {
    return forge.host().orElseThrow();
  }

  private List<String> obstacles() {
    return forge.pullRequest(ONE, "main").orElseThrow().obstacles();
  }

  @Test
  void what_keeps_the_button_grey_is_an_obstacle_and_ci_of_the_head_is_none() {
    open(1, Edit.on(main).file("c", "1"));
    FakeRequest request = gitlab().requests.of(1);
    for (String ready : List.of("mergeable", "need_rebase", "ci_must_pass", "ci_still_running")) {
      request.status = ready;
      assertThat(obstacles()).as(ready).isEmpty();
    }
    request.status = "not_approved";
    assertThat(obstacles()).singleElement().asString().contains("approvals");
    request.status = "something_new";
    assertThat(obstacles()).singleElement().asString().contains("\"something_new\"");
  }

  @Test
  void until_gitlab_knows_what_it_said_last_of_the_same_head_counts() {
    open(1, Edit.on(main).file("c", "1"));
    FakeRequest request = gitlab().requests.of(1);
    request.timesUnknown = 100;
    assertThat(obstacles()).singleElement().asString().contains("still finding out");
    request.timesUnknown = 2;
    assertThat(obstacles()).isEmpty();
    request.timesUnknown = 100;
    assertThat(obstacles()).isEmpty();
    open(1, Edit.on(main).file("c", "2"));
    assertThat(obstacles()).hasSize(1);
  }

  @Test
  void looks_follow_what_changed_and_nothing_else_is_read() {
    for (int i = 1; i <= 3; i++) {
      open(i, Edit.on(main).file("f" + i, "1"));
    }
    Look.Seen first = (Look.Seen) forge.look(Optional.empty());
    assertThat(first.heads().pullRequests()).hasSize(3);
    int before = gitlab().faults.count("GET merge_requests");
    assertThat(forge.look(Optional.of(first.mark()))).isEqualTo(new Look.Unchanged());
    assertThat(gitlab().faults.count("GET merge_requests") - before).isEqualTo(1);
    world.close(2);
    CommitSha moved = open(3, Edit.on(main).file("f3", "2"));
    Look.Seen next = (Look.Seen) forge.look(Optional.of(first.mark()));
    assertThat(next.heads().pullRequests())
        .containsOnlyKeys(ONE, new PullRequestRef(3))
        .containsEntry(new PullRequestRef(3), moved);
    assertThat(forge.look(Optional.of(next.mark()))).isEqualTo(new Look.Unchanged());
  }

  private List<Status> statuses() {
    return host().statuses(main);
  }

  @Test
  void the_newest_pipeline_of_the_test_branch_is_the_one_that_counts() {
    FakePipelines pipelines = gitlab().pipelines;
    pipelines.start(main.value(), "main", "push", "failed");
    assertThat(statuses()).extracting(Status::verdict).containsExactly(Verdict.FAILURE);
    var first = pipelines.start(main.value(), "mainstay/main/r1", "push", "success");
    pipelines.start(main.value(), "feature", "push", "failed");
    pipelines.start(main.value(), "mainstay/main/r1", "push", "skipped");
    assertThat(statuses())
        .extracting(Status::name, Status::verdict)
        .containsExactly(tuple("pipeline", Verdict.SUCCESS));
    pipelines.job(first, "lint", "failed").mayFail = true;
    pipelines.job(first, "unit", "success");
    pipelines.job(first, "deploy", "skipped");
    assertThat(statuses())
        .extracting(Status::name, Status::verdict)
        .containsExactly(
            tuple("pipeline", Verdict.SUCCESS),
            tuple("lint", Verdict.SUCCESS),
            tuple("unit", Verdict.SUCCESS),
            tuple("deploy", Verdict.NONE));
    for (var said :
        Map.of(
                "canceled", Verdict.CANCELLED,
                "waiting_for_callback", Verdict.PENDING,
                "manual", Verdict.PENDING,
                "canceling", Verdict.PENDING,
                "skipped", Verdict.NONE)
            .entrySet()) {
      pipelines.all.removeIf(p -> p != first);
      first.status = said.getKey();
      assertThat(statuses().getFirst().verdict()).as(said.getKey()).isEqualTo(said.getValue());
    }
  }

  @Test
  void a_pipeline_that_ran_too_long_says_so() {
    var pipeline = gitlab().pipelines.start(main.value(), "mainstay/main/r1", "push", "failed");
    gitlab().pipelines.job(pipeline, "unit", "failed").why = "job_execution_timeout";
    assertThat(statuses().getFirst().verdict()).isEqualTo(Verdict.TIMED_OUT);
    gitlab().pipelines.job(pipeline, "lint", "failed");
    assertThat(statuses().getFirst().verdict()).isEqualTo(Verdict.FAILURE);
  }

  @Test
  void our_own_check_proves_nothing_and_hides_nothing() {
    Host.Check check =
        new Host.Check(main, "mainstay", Verdict.SUCCESS, "In", "", Optional.empty());
    host().write(check);
    host().write(check);
    assertThat(statuses()).isEmpty();
    var pipeline = gitlab().pipelines.newest(main.value()).orElseThrow();
    gitlab().pipelines.job(pipeline, "jenkins", "success");
    pipeline.status = "running";
    host().write(new Host.Check(main, "mainstay", Verdict.PENDING, "In", "", Optional.empty()));
    assertThat(statuses().getFirst())
        .extracting(Status::name, Status::verdict)
        .containsExactly("pipeline", Verdict.SUCCESS);
  }

  @Test
  void what_was_cancelled_is_tried_again_and_only_tests_are_stopped() {
    FakePipelines pipelines = gitlab().pipelines;
    var own = pipelines.start(main.value(), "main", "push", "running");
    var test = pipelines.start(main.value(), "mainstay/main/r1", "push", "canceled");
    var job = pipelines.job(test, "unit", "canceled");
    assertThat(host().rerun(main, "pipeline")).isTrue();
    assertThat(test.status).isEqualTo("running");
    assertThat(host().rerun(main, "unit")).isTrue();
    assertThat(job.status).isEqualTo("pending");
    assertThat(host().rerun(main, "nothing")).isFalse();
    host().stop(main);
    assertThat(test.status).isEqualTo("canceled");
    assertThat(own.status).isEqualTo("running");
  }

  @Test
  void there_is_one_note_of_ours_and_no_line_of_it_is_obeyed() {
    open(1, Edit.on(main).file("c", "1"));
    gitlab().notes.say(1, "mallory", GitLabPeople.MARKER + "\nnot ours");
    host().comment(ONE, "Hello.\n/merge\n  /close");
    host().comment(ONE, "Bye.\n/merge");
    assertThat(gitlab().notes.of(1)).hasSize(2);
    assertThat(gitlab().notes.of(1).getLast().text())
        .isEqualTo(GitLabPeople.MARKER + "\nBye.\n\\/merge");
  }

  @Test
  void rights_are_those_of_the_role() {
    gitlab().people.members.putAll(Map.of("dev", 30, "guest", 10, "boss", 50, "reader", 20));
    gitlab().people.members.put("developer", 50);
    assertThat(host().permission("dev")).isEqualTo(Permission.WRITE);
    assertThat(host().permission("boss")).isEqualTo(Permission.ADMIN);
    assertThat(host().permission("reader")).isEqualTo(Permission.READ);
    assertThat(host().permission("guest")).isEqualTo(Permission.NONE);
    assertThat(host().permission("deve")).isEqualTo(Permission.NONE);
    assertThat(host().permission("DEV")).isEqualTo(Permission.NONE);
    assertThat(host().permission("nobody")).isEqualTo(Permission.NONE);
    assertThat(host().permission("../x")).isEqualTo(Permission.NONE);
    gitlab().people.blocked.add("boss");
    assertThat(host().permission("boss")).isEqualTo(Permission.NONE);
  }

  private List<Finding> wrong() {
    return forge.findings(Set.of("main")).stream()
        .filter(finding -> finding.level() == Level.MISSING)
        .toList();
  }

  @Test
  void findings_name_what_is_missing_and_how_to_mend_it() {
    assertThat(wrong()).isEmpty();
    FakeProject project = gitlab().project;
    project.token.putArray("scopes").add("api");
    project.token.put("expires_at", "2020-01-01");
    gitlab().people.members.clear();
    project.protectedBranches.addAll(Set.of("main", "main*y/*"));
    project.closedToPushes.add("main");
    project.hasCiFile = false;
    project.hooks.add(
        Json.object()
            .put("url", "https://mainstay.example/hooks/gitlab")
            .put("alert_status", "temporarily_disabled"));
    project.hooks.add(
        Json.object()
            .put("url", "https://mainstay.example/hooks/gitlab?x=1")
            .put("push_events", true)
            .put("merge_requests_events", true)
            .put("pipeline_events", true));
    List<Finding> found = forge.findings(Set.of("main", "gone"));
    assertThat(found.stream().map(Finding::sentence).toList().toString())
        .contains(
            "lacks the scope write_repository",
            "ends on 2020-01-01",
            "no role in the project",
            "\"main*y/*\" covers the test branches",
            "may not push to main",
            "temporarily_disabled",
            "does not tell of note_events.",
            "main has no .gitlab-ci.yml",
            "no branch gone");
    assertThat(found).allMatch(f -> f.level() == Level.GOOD || f.mend().isPresent());
    assertThat(forge.requiredStatuses("main")).isEmpty();
  }

  @Test
  void a_project_that_was_moved_is_found_by_its_number_and_said_to_be() {
    CommitSha head = open(1, Edit.on(main).file("c", "1"));
    gitlab().project.path = "acme/elsewhere/app";
    Forge late = world.node();
    assertThat(late.heads().pullRequests()).containsEntry(ONE, head);
    late.host().orElseThrow().comment(ONE, "Hello.");
    assertThat(gitlab().notes.of(1)).hasSize(1);
    assertThat(late.notice()).get().asString().contains("acme/elsewhere/app");
  }

  @Test
  void a_test_branch_has_one_draft_of_its_own() {
    built("mainstay/main/r1", main, head(1, Edit.on(main).file("c", "1")));
    var test = new Host.TestPullRequest("mainstay/main/r1", "main", "Test of #1", "/close\nx");
    PullRequestRef made = host().open(test);
    assertThat(host().open(test)).isEqualTo(made);
    assertThat(gitlab().requests.of(made.number()).draft).isTrue();
    assertThat(gitlab().requests.of(made.number()).description).startsWith("\\/close");
    host().close(made);
    host().close(made);
    assertThat(gitlab().requests.of(made.number()).isOpen()).isFalse();
  }

  @Test
  void a_pattern_of_protection_covers_what_its_stars_say() {
    assertThat(GitLabFindings.covers("*", "mainstay/main/r1")).isTrue();
    assertThat(GitLabFindings.covers("main*/r1", "mainstay/main/r1")).isTrue();
    assertThat(GitLabFindings.covers("*stay*r1", "mainstay/main/r1")).isTrue();
    assertThat(GitLabFindings.covers("main", "mainstay/main/r1")).isFalse();
    assertThat(GitLabFindings.covers("release/*", "mainstay/main/r1")).isFalse();
    assertThat(GitLabFindings.covers("aa*aa", "aaa")).isFalse();
  }

  @Test
  void a_limit_is_kept_to_until_gitlab_says_otherwise() {
    forge.heads();
    gitlab().faults.next("GET merge_requests", new Fault.Instead(429, Map.of("Retry-After", "30")));
    assertThatThrownBy(() -> forge.look(Optional.empty()))
        .isInstanceOf(ForgeUnavailable.class)
        .satisfies(e -> assertThat(((ForgeUnavailable) e).retryAfter()).isPresent());
    int before = gitlab().faults.count("GET merge_requests/N");
    assertThatThrownBy(() -> forge.pullRequest(ONE, "main")).isInstanceOf(ForgeUnavailable.class);
    assertThat(gitlab().faults.count("GET merge_requests/N")).isEqualTo(before);
  }

  @Test
  void the_last_requests_are_left_to_what_matters_more() {
    long soon = java.time.Instant.now().getEpochSecond() + 50;
    gitlab()
        .faults
        .headers
        .putAll(
            Map.of(
                "RateLimit-Limit", "2000",
                "RateLimit-Remaining", "100",
                "RateLimit-Reset", "" + soon));
    Purpose.LANDING.during(forge::heads);
    assertThat(forge.usage().orElseThrow().remaining()).hasValue(100);
    assertThatThrownBy(() -> forge.pullRequest(ONE, "main")).isInstanceOf(ForgeUnavailable.class);
    Purpose.LANDING.during(() -> forge.pullRequest(ONE, "main"));
  }
}
