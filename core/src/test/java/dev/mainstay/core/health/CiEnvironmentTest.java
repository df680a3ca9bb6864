package dev.mainstay.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.RepoName;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CiEnvironmentTest {
  private static final RepoName REPO = new RepoName("github.com", "acme", "shop");

  @Test
  void github_actions_on_a_pull_request() {
    var ci =
        of(
            "GITHUB_ACTIONS=true",
            "GITHUB_SERVER_URL=https://github.com",
            "GITHUB_REPOSITORY=acme/shop",
            "GITHUB_HEAD_REF=feature",
            "GITHUB_REF=refs/pull/12/merge",
            "GITHUB_REF_NAME=12/merge",
            "GITHUB_SHA=abc",
            "GITHUB_WORKFLOW=CI",
            "GITHUB_JOB=test",
            "GITHUB_RUN_ID=99",
            "GITHUB_RUN_ATTEMPT=2");
    assertThat(ci.system()).isEqualTo("GitHub Actions");
    assertThat(ci.repo()).contains(REPO);
    assertThat(ci.branch()).isEqualTo("feature");
    assertThat(ci.commit()).isEqualTo("abc");
    assertThat(ci.pullRequest()).contains(12);
    assertThat(ci.job()).isEqualTo("CI/test");
    assertThat(ci.url()).isEqualTo("https://github.com/acme/shop/actions/runs/99");
    assertThat(ci.attempt()).contains(2);
  }

  @Test
  void github_actions_on_a_branch_has_no_pull_request() {
    var ci =
        of(
            "GITHUB_ACTIONS=true",
            "GITHUB_REPOSITORY=acme/shop",
            "GITHUB_REF=refs/heads/release/2",
            "GITHUB_REF_NAME=release/2",
            "GITHUB_HEAD_REF=");
    assertThat(ci.branch()).isEqualTo("release/2");
    assertThat(ci.pullRequest()).isEmpty();
    assertThat(ci.repo()).contains(REPO);
  }

  @Test
  void gitlab_with_nested_groups_and_a_merge_train() {
    var ci =
        of(
            "GITLAB_CI=true",
            "CI_PROJECT_URL=https://gitlab.example.com/group/sub/shop",
            "CI_COMMIT_REF_NAME=feature",
            "CI_COMMIT_SHA=abc",
            "CI_MERGE_REQUEST_IID=5",
            "CI_MERGE_REQUEST_EVENT_TYPE=merge_train",
            "CI_JOB_NAME=unit");
    assertThat(ci.repo()).contains(new RepoName("gitlab.example.com", "group/sub", "shop"));
    assertThat(ci.pullRequest()).contains(5);
    assertThat(Branches.classify(ci.branch(), true, java.util.List.of()))
        .isEqualTo(BranchClass.MERGE_QUEUE);
  }

  @Test
  void a_queues_own_test_command_goes_before_the_system_its_service_runs_in() {
    var ci =
        of(
            "GITHUB_ACTIONS=true",
            "GITHUB_REPOSITORY=acme/another",
            "MAINSTAY_TEST_RUN_ID=abc-7",
            "MAINSTAY_REPO=github.com/acme/shop",
            "MAINSTAY_TEST_BRANCH=mainstay/main/abc-7",
            "MAINSTAY_COMMIT=abc",
            "MAINSTAY_PULL_REQUESTS=12");
    assertThat(ci.repo()).contains(REPO);
    assertThat(ci.commit()).isEqualTo("abc");
    assertThat(ci.pullRequest()).contains(12);
    assertThat(ci.job()).isEqualTo("mainstay/test");
    assertThat(Branches.classify(ci.branch(), true, java.util.List.of()))
        .isEqualTo(BranchClass.MERGE_QUEUE);
    assertThat(of("MAINSTAY_TEST_RUN_ID=abc-7", "MAINSTAY_PULL_REQUESTS=7,9").pullRequest())
        .isEmpty();
  }

  @Test
  void jenkins_strips_the_name_of_the_remote() {
    var ci =
        of(
            "JENKINS_URL=http://ci",
            "GIT_URL=git@github.com:acme/shop.git",
            "GIT_BRANCH=origin/main",
            "GIT_COMMIT=abc",
            "JOB_NAME=shop",
            "BUILD_URL=http://ci/job/shop/7/");
    assertThat(ci.repo()).contains(REPO);
    assertThat(ci.branch()).isEqualTo("main");
    assertThat(ci.pullRequest()).isEmpty();
  }

  @Test
  void buildkite_counts_retries_from_zero_and_says_false_without_a_pull_request() {
    var ci =
        of(
            "BUILDKITE=true",
            "BUILDKITE_REPO=https://github.com/acme/shop.git",
            "BUILDKITE_PULL_REQUEST=false",
            "BUILDKITE_BRANCH=main",
            "BUILDKITE_RETRY_COUNT=1",
            "BUILDKITE_PIPELINE_SLUG=shop");
    assertThat(ci.repo()).contains(REPO);
    assertThat(ci.pullRequest()).isEmpty();
    assertThat(ci.attempt()).contains(2);
  }

  @Test
  void circleci_knows_a_pull_request_by_its_address() {
    var ci =
        of(
            "CIRCLECI=true",
            "CIRCLE_REPOSITORY_URL=git@github.com:acme/shop.git",
            "CIRCLE_BRANCH=feature",
            "CIRCLE_PULL_REQUEST=https://github.com/acme/shop/pull/31",
            "CIRCLE_SHA1=abc");
    assertThat(ci.repo()).contains(REPO);
    assertThat(ci.pullRequest()).contains(31);
  }

  @Test
  void azure_bitbucket_teamcity_travis_drone_and_semaphore_are_known_too() {
    assertThat(
            of(
                "TF_BUILD=True",
                "BUILD_REPOSITORY_URI=https://github.com/acme/shop",
                "BUILD_SOURCEBRANCH=refs/heads/main",
                "BUILD_SOURCEVERSION=abc",
                "SYSTEM_JOBATTEMPT=3"))
        .returns("refs/heads/main", CiEnvironment::branch)
        .returns(java.util.Optional.of(3), CiEnvironment::attempt);
    assertThat(
            of(
                    "BITBUCKET_BUILD_NUMBER=4",
                    "BITBUCKET_GIT_HTTP_ORIGIN=https://bitbucket.org/acme/shop",
                    "BITBUCKET_COMMIT=abc",
                    "BITBUCKET_PR_ID=8")
                .pullRequest())
        .contains(8);
    assertThat(of("TEAMCITY_VERSION=2026", "BUILD_VCS_NUMBER=abc").commit()).isEqualTo("abc");
    assertThat(
            of(
                    "TRAVIS=true",
                    "TRAVIS_REPO_SLUG=acme/shop",
                    "TRAVIS_PULL_REQUEST=false",
                    "TRAVIS_BRANCH=main",
                    "TRAVIS_COMMIT=abc")
                .repo())
        .contains(REPO);
    assertThat(
            of(
                    "DRONE=true",
                    "DRONE_GIT_HTTP_URL=https://github.com/acme/shop.git",
                    "DRONE_PULL_REQUEST=6",
                    "DRONE_BRANCH=main")
                .pullRequest())
        .contains(6);
    assertThat(
            of(
                    "SEMAPHORE=true",
                    "SEMAPHORE_GIT_URL=git@github.com:acme/shop.git",
                    "SEMAPHORE_GIT_BRANCH=main",
                    "SEMAPHORE_GIT_SHA=abc")
                .commit())
        .isEqualTo("abc");
  }

  @Test
  void elsewhere_nothing_is_known() {
    assertThat(CiEnvironment.detect(Map.of("PATH", "/bin", "GITHUB_ACTIONS", "false"))).isEmpty();
  }

  private static CiEnvironment of(String... assignments) {
    var variables = new HashMap<String, String>();
    for (String assignment : assignments) {
      String[] parts = assignment.split("=", 2);
      variables.put(parts[0], parts[1]);
    }
    return CiEnvironment.detect(variables).orElseThrow();
  }
}
