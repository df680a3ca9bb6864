package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.hosted.HostedPull;
import dev.mainstay.server.forge.rest.RestClient;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The API of Gitea for one repository; each part of it is a file of its own. */
final class GiteaApi implements HostApi {
  private static final Abilities ABILITIES =
      Abilities.of(
          Ability.STATUSES,
          Ability.CHECKS,
          Ability.COMMENTS,
          Ability.COMMANDS,
          Ability.LABELS,
          Ability.AUTO_MERGE,
          Ability.PERMISSIONS,
          Ability.TEST_PULL_REQUESTS,
          Ability.MARKING_MERGED);

  private final RestClient rest;
  private final GiteaOpened opened;
  private final GiteaPulls pulls;
  private final GiteaProtection protection;
  private final GiteaStatuses statuses;
  private final GiteaPeople people;
  private final GiteaComments comments;
  private final GiteaLabels labels;
  private final GiteaRepository repository;
  private final GiteaTestPulls testPulls;
  private final GiteaFindings findings;

  GiteaApi(RestClient rest, GiteaPlace place) {
    this.repository = new GiteaRepository(rest, place);
    this.rest = rest;
    this.protection = new GiteaProtection(repository);
    this.opened = new GiteaOpened(repository);
    this.pulls = new GiteaPulls(repository, protection);
    this.statuses = new GiteaStatuses(repository, protection);
    this.people = new GiteaPeople(repository);
    this.comments = new GiteaComments(repository);
    this.labels = new GiteaLabels(repository);
    this.testPulls = new GiteaTestPulls(repository);
    this.findings = new GiteaFindings(repository, protection);
  }

  @Override
  public Opened opened(Optional<String> mark) {
    return opened.since(mark);
  }

  @Override
  public Optional<HostedPull> pull(PullRequestRef pr) {
    return pulls.find(pr);
  }

  GiteaPulls pulls() {
    return pulls;
  }

  /** The head of a pull request that is open. */
  Optional<CommitSha> openHead(PullRequestRef pr) {
    return pulls.openHead(pr);
  }

  @Override
  public Optional<List<String>> requiredStatuses(String targetBranch) {
    return protection.requiredStatuses(targetBranch);
  }

  @Override
  public Abilities abilities() {
    return ABILITIES;
  }

  @Override
  public HostUsage usage() {
    return rest.used();
  }

  @Override
  public List<Finding> findings(Set<String> targetBranches) {
    return findings.of(targetBranches);
  }

  @Override
  public List<Status> statuses(CommitSha commit) {
    return statuses.of(commit);
  }

  @Override
  public void write(Check check) {
    statuses.write(check);
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
    comments.react(comment, reaction);
  }

  @Override
  public Optional<Cover> cover(PullRequestRef pr) {
    return repository.find(GiteaRepository.pull(pr)).map(pull -> labels.cover(pr, pull));
  }

  @Override
  public Covers covers(Optional<String> since) {
    return labels.since(since);
  }

  @Override
  public Optional<Deed> labelled(PullRequestRef pr, String label) {
    return labels.labelled(pr, label);
  }

  @Override
  public Optional<Deed> armed(PullRequestRef pr) {
    return labels.armed(pr);
  }

  @Override
  public void label(PullRequestRef pr, Set<String> set, Set<String> take) {
    labels.label(pr, set, take);
  }

  @Override
  public Permission permission(String login) {
    return people.permission(login);
  }

  @Override
  public PullRequestRef open(TestPullRequest test) {
    return testPulls.open(test);
  }

  @Override
  public void close(PullRequestRef test) {
    testPulls.close(test);
  }

  @Override
  public Marking markMerged(PullRequestRef pr, CommitSha landed) {
    return pulls.markMerged(pr, landed);
  }

  @Override
  public void close() {
    rest.close();
  }
}
