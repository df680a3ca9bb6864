package dev.mainstay.server.forge.gitea;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Host.Check;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.Host.Status;
import dev.mainstay.server.forge.Host.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Statuses, checks and people of a real Gitea. */
class GiteaStatusesTest extends GiteaScene {
  @Test
  void the_newest_status_of_each_name_counts() {
    status(main, "a", "pending");
    status(main, "a", "success");
    status(main, "b", "warning");
    status(main, "c", "error");
    status(main, "d", "skipped");
    status(main, "e", "pending");
    status(main, "f", "failure");
    assertThat(verdicts(main))
        .containsOnly(
            Map.entry("a", Verdict.SUCCESS),
            Map.entry("b", Verdict.FAILURE),
            Map.entry("c", Verdict.FAILURE),
            Map.entry("d", Verdict.SUCCESS),
            Map.entry("e", Verdict.PENDING),
            Map.entry("f", Verdict.FAILURE));
    assertThat(api.statuses(new CommitSha("1".repeat(40)))).isEmpty();
  }

  private Map<String, Verdict> verdicts(CommitSha commit) {
    return api.statuses(commit).stream().collect(Collectors.toMap(Status::name, Status::verdict));
  }

  @Test
  void more_statuses_than_a_page_are_all_read() {
    for (int i = 0; i < 13; i++) {
      status(main, "s" + i, "success");
    }
    assertThat(api.statuses(main)).hasSize(13);
  }

  @Test
  void our_check_replaces_the_one_before_and_is_cut_to_what_the_host_keeps() {
    var url = Optional.of("https://mainstay.example/1");
    api.write(new Check(main, "mainstay", Verdict.PENDING, "3rd in line", "", url));
    api.write(new Check(main, "mainstay", Verdict.SUCCESS, "🎉".repeat(300), "", url));
    assertThat(api.statuses(main)).containsExactly(new Status("mainstay", Verdict.SUCCESS, url));
    api.write(new Check(main, "mainstay", Verdict.NONE, "x".repeat(300), "", Optional.empty()));
    assertThat(verdicts(main)).containsEntry("mainstay", Verdict.PENDING);
  }

  @Test
  void a_branch_requires_what_its_protection_says_but_not_our_own_check() {
    assertThat(forge.requiredStatuses("main")).isEmpty();
    assertThat(forge.requiredStatuses("nowhere")).isEmpty();
    protect(
        Map.of(
            "rule_name",
            "main",
            "enable_status_check",
            true,
            "status_check_contexts",
            List.of("ci/build", "mainstay", "lint")));
    assertThat(forge.requiredStatuses("main")).contains(List.of("ci/build", "lint"));
    assertThat(gitea.api(gitea.as("bob").token()).requiredStatuses("main"))
        .contains(List.of("ci/build", "lint"));
  }

  @Test
  void all_that_a_required_pattern_matches_are_one_status() {
    world.push("release/1.0", main);
    protect(
        Map.of(
            "rule_name",
            "release/*",
            "enable_status_check",
            true,
            "status_check_contexts",
            List.of("ci/*")));
    assertThat(api.requiredStatuses("release/1.0")).contains(List.of("ci/*"));
    assertThat(verdicts(main)).doesNotContainKey("ci/*");
    status(main, "ci/a", "success");
    status(main, "ci/b", "pending");
    assertThat(verdicts(main)).containsEntry("ci/*", Verdict.PENDING);
    status(main, "ci/b", "success");
    assertThat(verdicts(main)).containsEntry("ci/*", Verdict.SUCCESS);
    status(main, "ci/c/d", "failure");
    assertThat(verdicts(main)).containsEntry("ci/*", Verdict.FAILURE);
  }

  @Test
  void there_is_one_comment_of_ours_whatever_others_write() {
    open(1, Edit.on(main).file("one.txt", "1\n"));
    gitea
        .as(GiteaWorld.ADA)
        .post(
            gitea.path() + "/issues/1/comments",
            Map.of("body", GiteaPeople.MARKER + "\nI am Mainstay."));
    api.comment(ONE, "In line.");
    api.comment(ONE, "Merged.");
    api.comment(ONE, "Merged.");
    JsonNode comments = gitea.owner().get(gitea.path() + "/issues/1/comments");
    assertThat(comments).hasSize(2);
    assertThat(comments.toString()).contains("I am Mainstay.", "Merged.").doesNotContain("In line");
  }

  @Test
  void people_have_the_rights_that_the_repository_gives_them() {
    gitea.as("bob");
    gitea.owner().call("PUT", gitea.path() + "/collaborators/bob", Map.of("permission", "write"));
    assertThat(api.permission("owner")).isEqualTo(Permission.ADMIN);
    assertThat(api.permission("bob")).isEqualTo(Permission.WRITE);
    gitea.as(GiteaWorld.ADA);
    assertThat(api.permission(GiteaWorld.ADA)).isEqualTo(Permission.READ);
    assertThat(api.permission("nobody")).isEqualTo(Permission.NONE);
    assertThat(api.permission("../owner")).isEqualTo(Permission.NONE);
    GiteaApi asBob = gitea.api(gitea.as("bob").token());
    assertThat(asBob.permission("bob")).isEqualTo(Permission.WRITE);
    assertThat(asBob.permission("owner")).isEqualTo(Permission.NONE);
    assertThat(asBob.permission(GiteaWorld.ADA)).isEqualTo(Permission.NONE);
    asBob.close();
  }
}
