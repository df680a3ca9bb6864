package dev.mainstay.server.forge.gitlab;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.hosted.HostedPull;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The API of GitLab for one project; each part of it is a file of its own. */
final class GitLabApi implements HostApi {
  private static final Abilities ABILITIES =
      Abilities.of(
          Ability.STATUSES,
          Ability.CHECKS,
          Ability.COMMENTS,
          Ability.COMMANDS,
          Ability.LABELS,
          Ability.AUTO_MERGE,
          Ability.DISARMING,
          Ability.PERMISSIONS,
          Ability.TEST_PULL_REQUESTS,
          Ability.RERUNS,
          Ability.STOPPING);

  private final GitLabProject project;
  private final GitLabOpened opened;
  private final GitLabRequests requests;
  private final GitLabPipelines pipelines;
  private final GitLabPeople people;
  private final GitLabComments comments;
  private final GitLabCovers covers;
  private final GitLabCi ci;
  private final InstantSource clock;

  GitLabApi(GitLabProject project, InstantSource clock, Patience patience) {
    this.project = project;
    this.clock = clock;
    this.opened = new GitLabOpened(project);
    this.requests = new GitLabRequests(project, patience);
    this.pipelines = new GitLabPipelines(project);
    this.people = new GitLabPeople(project);
    this.comments = new GitLabComments(project);
    this.covers = new GitLabCovers(project, people);
    this.ci = new GitLabCi(project);
  }

  @Override
  public Opened opened(Optional<String> mark) {
    return opened.since(mark);
  }

  @Override
  public Optional<HostedPull> pull(PullRequestRef pr) {
    return requests.find(pr);
  }

  @Override
  public Optional<HostedPull> plain(PullRequestRef pr) {
    return requests.plain(pr);
  }

  GitLabRequests requests() {
    return requests;
  }

  InstantSource clock() {
    return clock;
  }

  @Override
  public String sign() {
    return "!";
  }

  @Override
  public Optional<List<String>> requiredStatuses(String targetBranch) {
    return ci.requiredStatuses(targetBranch);
  }

  @Override
  public Abilities abilities() {
    return ABILITIES;
  }

  @Override
  public Optional<String> notice() {
    return project.movedTo().map(GitLabFindings::moved);
  }

  @Override
  public HostUsage usage() {
    return project.rest().used();
  }

  @Override
  public List<Finding> findings(Set<String> targetBranches) {
    return new GitLabFindings(project, people, ci, clock).of(targetBranches);
  }

  @Override
  public List<Status> statuses(CommitSha commit) {
    return pipelines.statuses(commit);
  }

  @Override
  public boolean rerun(CommitSha commit, String name) {
    return pipelines.again(commit, name);
  }

  @Override
  public void stop(CommitSha commit) {
    pipelines.stop(commit);
  }

  @Override
  public void write(Check check) {
    new GitLabChecks(project).write(check);
  }

  @Override
  public void comment(PullRequestRef pr, String text) {
    people.comment(pr, text);
  }

  @Override
  public Comments comments(Optional<String> since) {
    return comments.since(since);
  }

  @Override
  public void react(PullRequestRef pr, String comment, Reaction reaction) {
    comments.react(pr, comment, reaction);
  }

  @Override
  public Optional<Cover> cover(PullRequestRef pr) {
    return covers.cover(pr);
  }

  @Override
  public Covers covers(Optional<String> since) {
    return covers.since(since);
  }

  @Override
  public Optional<Deed> labelled(PullRequestRef pr, String label) {
    return covers.labelled(pr, label);
  }

  @Override
  public Optional<Deed> armed(PullRequestRef pr) {
    return covers.armed(pr);
  }

  @Override
  public boolean disarm(PullRequestRef pr) {
    return covers.disarm(pr);
  }

  @Override
  public void label(PullRequestRef pr, Set<String> set, Set<String> take) {
    covers.label(pr, set, take);
  }

  @Override
  public Permission permission(String login) {
    return people.permission(login);
  }

  @Override
  public PullRequestRef open(TestPullRequest test) {
    return new GitLabTestRequests(project).open(test);
  }

  @Override
  public void close(PullRequestRef test) {
    requests.close(test);
  }

  @Override
  public void close() {
    project.rest().close();
  }
}
