package dev.mainstay.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BranchesTest {
  private static final List<Glob> STABLE = List.of(new Glob("main"), new Glob("release/*"));

  @ParameterizedTest
  @CsvSource({
    "main, STABLE",
    "refs/heads/main, STABLE",
    "release/1.2/hotfix, STABLE",
    "mainline, OTHER",
    "feature/login, OTHER",
    "'', OTHER",
    "refs/pull/12/merge, PULL_REQUEST",
    "refs/remotes/pull/12/merge, PULL_REQUEST",
    "12/merge, PULL_REQUEST",
    "PR-12, PULL_REQUEST",
    "refs/merge-requests/3/head, PULL_REQUEST",
    "refs/merge-requests/3/train, MERGE_QUEUE",
    "gh-readonly-queue/main/pr-7-0123abcd, MERGE_QUEUE",
    "refs/heads/mainstay/main/42, MERGE_QUEUE",
    "trunk-merge/pr-7/0123, MERGE_QUEUE",
    "mergify/merge-queue/0123abcd, MERGE_QUEUE",
  })
  void a_branch_name_tells_its_class(String branch, BranchClass expected) {
    assertThat(Branches.classify(branch, false, STABLE)).isEqualTo(expected);
  }

  @Test
  void an_upload_that_names_a_pull_request_is_of_a_pull_request_even_on_a_stable_name() {
    assertThat(Branches.classify("main", true, STABLE)).isEqualTo(BranchClass.PULL_REQUEST);
  }

  @Test
  void the_test_branch_of_a_queue_is_of_the_queue_even_with_a_pull_request() {
    assertThat(Branches.classify("gh-readonly-queue/main/pr-7", true, STABLE))
        .isEqualTo(BranchClass.MERGE_QUEUE);
  }

  @Test
  void the_number_of_a_pull_request_is_read_from_its_branch() {
    assertThat(Branches.pullRequestOf("refs/pull/12/merge")).hasValue(12);
    assertThat(Branches.pullRequestOf("12/merge")).hasValue(12);
    assertThat(Branches.pullRequestOf("refs/merge-requests/3/train")).hasValue(3);
    assertThat(Branches.pullRequestOf("refs/heads/gh-readonly-queue/main/pr-7-0a1b")).hasValue(7);
    assertThat(Branches.pullRequestOf("trunk-merge/pr-7/0a1b")).hasValue(7);
    assertThat(Branches.pullRequestOf("refs/pull/0/merge")).isEmpty();
    assertThat(Branches.pullRequestOf("feature/12")).isEmpty();
  }
}
