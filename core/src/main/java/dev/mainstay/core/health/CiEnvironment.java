package dev.mainstay.core.health;

import dev.mainstay.core.code.RepoName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The job that runs, as the variables of a CI system tell it. A part that is missing is empty. */
public record CiEnvironment(
    String system,
    Optional<RepoName> repo,
    String branch,
    String commit,
    Optional<Integer> pullRequest,
    String job,
    String url,
    Optional<Integer> attempt) {

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z0-9_]+)}");
  private static final Pattern NUMBER_AT_END = Pattern.compile("(?:.*/)?([1-9]\\d{0,8})");

  /**
   * The variables in which one CI system keeps each part: templates in order of preference; the
   * first whose variables are all set counts.
   */
  private record Source(
      String system,
      String marker,
      List<String> repo,
      List<String> branch,
      List<String> commit,
      List<String> pullRequest,
      List<String> job,
      List<String> url,
      List<String> attempt,
      int firstAttempt) {}

  private static final List<Source> SOURCES =
      List.of(
          // First, since a service that runs test commands may itself run inside another system.
          new Source(
              "Mainstay",
              "MAINSTAY_TEST_RUN_ID",
              List.of("${MAINSTAY_REPO}"),
              List.of("${MAINSTAY_TEST_BRANCH}"),
              List.of("${MAINSTAY_COMMIT}"),
              List.of("${MAINSTAY_PULL_REQUESTS}"),
              List.of("mainstay/test"),
              List.of(),
              List.of(),
              0),
          new Source(
              "GitHub Actions",
              "GITHUB_ACTIONS",
              List.of(
                  "${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}", "github.com/${GITHUB_REPOSITORY}"),
              List.of("${GITHUB_HEAD_REF}", "${GITHUB_REF_NAME}", "${GITHUB_REF}"),
              List.of("${GITHUB_SHA}"),
              List.of("${GITHUB_REF}"),
              List.of("${GITHUB_WORKFLOW}/${GITHUB_JOB}", "${GITHUB_JOB}"),
              List.of("${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}"),
              List.of("${GITHUB_RUN_ATTEMPT}"),
              0),
          new Source(
              "GitLab",
              "GITLAB_CI",
              List.of("${CI_PROJECT_URL}", "${CI_SERVER_HOST}/${CI_PROJECT_PATH}"),
              List.of("${CI_MERGE_REQUEST_SOURCE_BRANCH_NAME}", "${CI_COMMIT_REF_NAME}"),
              List.of("${CI_COMMIT_SHA}"),
              List.of("${CI_MERGE_REQUEST_IID}", "${CI_EXTERNAL_PULL_REQUEST_IID}"),
              List.of("${CI_JOB_NAME}"),
              List.of("${CI_JOB_URL}", "${CI_PIPELINE_URL}"),
              List.of(),
              0),
          new Source(
              "Buildkite",
              "BUILDKITE",
              List.of("${BUILDKITE_REPO}"),
              List.of("${BUILDKITE_BRANCH}"),
              List.of("${BUILDKITE_COMMIT}"),
              List.of("${BUILDKITE_PULL_REQUEST}"),
              List.of(
                  "${BUILDKITE_PIPELINE_SLUG}/${BUILDKITE_LABEL}", "${BUILDKITE_PIPELINE_SLUG}"),
              List.of("${BUILDKITE_BUILD_URL}#${BUILDKITE_JOB_ID}", "${BUILDKITE_BUILD_URL}"),
              List.of("${BUILDKITE_RETRY_COUNT}"),
              1),
          new Source(
              "CircleCI",
              "CIRCLECI",
              List.of("${CIRCLE_REPOSITORY_URL}"),
              List.of("${CIRCLE_BRANCH}"),
              List.of("${CIRCLE_SHA1}"),
              List.of("${CIRCLE_PR_NUMBER}", "${CIRCLE_PULL_REQUEST}"),
              List.of("${CIRCLE_JOB}"),
              List.of("${CIRCLE_BUILD_URL}"),
              List.of(),
              0),
          new Source(
              "Azure Pipelines",
              "TF_BUILD",
              List.of("${BUILD_REPOSITORY_URI}"),
              List.of("${SYSTEM_PULLREQUEST_SOURCEBRANCH}", "${BUILD_SOURCEBRANCH}"),
              List.of("${BUILD_SOURCEVERSION}"),
              List.of(
                  "${SYSTEM_PULLREQUEST_PULLREQUESTNUMBER}", "${SYSTEM_PULLREQUEST_PULLREQUESTID}"),
              List.of("${BUILD_DEFINITIONNAME}/${SYSTEM_JOBNAME}", "${SYSTEM_JOBNAME}"),
              List.of(
                  "${SYSTEM_TEAMFOUNDATIONCOLLECTIONURI}${SYSTEM_TEAMPROJECT}/_build/results?buildId=${BUILD_BUILDID}"),
              List.of("${SYSTEM_JOBATTEMPT}"),
              0),
          new Source(
              "Bitbucket",
              "BITBUCKET_BUILD_NUMBER",
              List.of("${BITBUCKET_GIT_HTTP_ORIGIN}", "bitbucket.org/${BITBUCKET_REPO_FULL_NAME}"),
              List.of("${BITBUCKET_BRANCH}"),
              List.of("${BITBUCKET_COMMIT}"),
              List.of("${BITBUCKET_PR_ID}"),
              List.of("${BITBUCKET_STEP_NAME}"),
              List.of("${BITBUCKET_GIT_HTTP_ORIGIN}/pipelines/results/${BITBUCKET_BUILD_NUMBER}"),
              List.of("${BITBUCKET_STEP_RUN_NUMBER}"),
              0),
          new Source(
              "TeamCity",
              "TEAMCITY_VERSION",
              List.of("${GIT_URL}"),
              List.of("${TEAMCITY_BUILD_BRANCH}", "${BRANCH_NAME}"),
              List.of("${BUILD_VCS_NUMBER}"),
              List.of("${TEAMCITY_PULLREQUEST_NUMBER}"),
              List.of(
                  "${TEAMCITY_PROJECT_NAME}/${TEAMCITY_BUILDCONF_NAME}",
                  "${TEAMCITY_BUILDCONF_NAME}"),
              List.of("${BUILD_URL}"),
              List.of(),
              0),
          new Source(
              "Travis",
              "TRAVIS",
              List.of("github.com/${TRAVIS_REPO_SLUG}"),
              List.of("${TRAVIS_PULL_REQUEST_BRANCH}", "${TRAVIS_BRANCH}"),
              List.of("${TRAVIS_PULL_REQUEST_SHA}", "${TRAVIS_COMMIT}"),
              List.of("${TRAVIS_PULL_REQUEST}"),
              List.of("${TRAVIS_JOB_NAME}"),
              List.of("${TRAVIS_JOB_WEB_URL}", "${TRAVIS_BUILD_WEB_URL}"),
              List.of(),
              0),
          new Source(
              "Drone",
              "DRONE",
              List.of("${DRONE_GIT_HTTP_URL}", "${DRONE_REPO_LINK}"),
              List.of("${DRONE_SOURCE_BRANCH}", "${DRONE_BRANCH}"),
              List.of("${DRONE_COMMIT_SHA}", "${DRONE_COMMIT}"),
              List.of("${DRONE_PULL_REQUEST}"),
              List.of("${DRONE_STAGE_NAME}/${DRONE_STEP_NAME}", "${DRONE_STAGE_NAME}"),
              List.of("${DRONE_BUILD_LINK}"),
              List.of(),
              0),
          new Source(
              "Semaphore",
              "SEMAPHORE",
              List.of("${SEMAPHORE_GIT_URL}"),
              List.of("${SEMAPHORE_GIT_PR_BRANCH}", "${SEMAPHORE_GIT_BRANCH}"),
              List.of("${SEMAPHORE_GIT_PR_SHA}", "${SEMAPHORE_GIT_SHA}"),
              List.of("${SEMAPHORE_GIT_PR_NUMBER}"),
              List.of("${SEMAPHORE_PROJECT_NAME}/${SEMAPHORE_JOB_NAME}", "${SEMAPHORE_JOB_NAME}"),
              List.of("${SEMAPHORE_ORGANIZATION_URL}/jobs/${SEMAPHORE_JOB_ID}"),
              List.of(),
              0),
          // Last, since agents of other systems may run inside a Jenkins.
          new Source(
              "Jenkins",
              "JENKINS_URL",
              List.of("${GIT_URL}"),
              List.of("${CHANGE_BRANCH}", "${BRANCH_NAME}", "${GIT_BRANCH}"),
              List.of("${GIT_COMMIT}"),
              List.of("${CHANGE_ID}"),
              List.of("${JOB_NAME}"),
              List.of("${BUILD_URL}"),
              List.of(),
              0));

  /** The system these variables belong to, if it is a known one. */
  public static Optional<CiEnvironment> detect(Map<String, String> variables) {
    return SOURCES.stream()
        .filter(source -> isSet(variables.getOrDefault(source.marker(), "")))
        .findFirst()
        .map(source -> read(source, variables));
  }

  private static CiEnvironment read(Source source, Map<String, String> variables) {
    String branch = trainOr(first(source.branch(), variables), variables);
    return new CiEnvironment(
        source.system(),
        Optional.of(first(source.repo(), variables)).flatMap(RepoName::parse),
        branch.replaceFirst("^origin/", ""),
        first(source.commit(), variables),
        pullRequest(first(source.pullRequest(), variables)),
        first(source.job(), variables),
        first(source.url(), variables),
        number(first(source.attempt(), variables)).map(n -> n + source.firstAttempt()));
  }

  /** GitLab tells a merge train apart only by the kind of its event. */
  private static String trainOr(String branch, Map<String, String> variables) {
    return variables.getOrDefault("CI_MERGE_REQUEST_EVENT_TYPE", "").equals("merge_train")
        ? "refs/merge-requests/" + variables.getOrDefault("CI_MERGE_REQUEST_IID", "0") + "/train"
        : branch;
  }

  private static Optional<Integer> pullRequest(String text) {
    var ofRef = Branches.pullRequestOf(text);
    if (ofRef.isPresent()) {
      return Optional.of(ofRef.getAsInt());
    }
    Matcher matcher = NUMBER_AT_END.matcher(text);
    return matcher.matches() && !text.startsWith("refs/")
        ? Optional.of(Integer.parseInt(matcher.group(1)))
        : Optional.empty();
  }

  private static Optional<Integer> number(String text) {
    return text.matches("\\d{1,6}") ? Optional.of(Integer.parseInt(text)) : Optional.empty();
  }

  private static String first(List<String> templates, Map<String, String> variables) {
    return templates.stream()
        .flatMap(template -> filled(template, variables).stream())
        .findFirst()
        .orElse("");
  }

  private static Optional<String> filled(String template, Map<String, String> variables) {
    var text = new StringBuilder();
    Matcher matcher = VARIABLE.matcher(template);
    while (matcher.find()) {
      String value = variables.getOrDefault(matcher.group(1), "");
      if (!isSet(value)) {
        return Optional.empty();
      }
      matcher.appendReplacement(text, Matcher.quoteReplacement(value));
    }
    return Optional.of(matcher.appendTail(text).toString());
  }

  private static boolean isSet(String value) {
    return !value.isEmpty() && !value.equals("false");
  }
}
