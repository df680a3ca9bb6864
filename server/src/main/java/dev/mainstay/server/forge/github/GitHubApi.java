package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.hosted.HostedPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** The API of GitHub for one repository, by its parts. */
final class GitHubApi implements HostApi {
  private static final Abilities ABILITIES =
      Abilities.of(
          Ability.STATUSES,
          Ability.CHECKS,
          Ability.COMMENTS,
          Ability.COMMANDS,
          Ability.BUTTONS,
          Ability.LABELS,
          Ability.AUTO_MERGE,
          Ability.PERMISSIONS,
          Ability.TEST_PULL_REQUESTS,
          Ability.RERUNS,
          Ability.STOPPING,
          Ability.RUN_NUMBERS);

  private final GitHubClient client;
  private final Required required;
  private final Checks checks;
  private final Pulls pulls;
  private final Talk talk;

  GitHubApi(GitHubClient client) {
    this.client = client;
    this.required = new Required(client);
    this.checks = new Checks(client, required);
    this.pulls =
        new Pulls(client, new Obstacles(client, required, checks), new AtomicReference<>(""));
    this.talk = new Talk(client);
  }

  Pulls pulls() {
    return pulls;
  }

  Required required() {
    return required;
  }

  OwnCheck ownCheck() {
    return new OwnCheck(client);
  }

  @Override
  public Opened opened(Optional<String> mark) {
    return pulls.opened(mark);
  }

  @Override
  public Optional<HostedPull> pull(PullRequestRef pr) {
    return pulls.pull(pr);
  }

  @Override
  public Optional<HostedPull> plain(PullRequestRef pr) {
    return pulls.plain(pr);
  }

  @Override
  public Optional<List<String>> requiredStatuses(String targetBranch) {
    return required.checks(targetBranch);
  }

  @Override
  public Abilities abilities() {
    return ABILITIES;
  }

  @Override
  public Optional<String> notice() {
    return pulls.newName().map(GitHubApi::renamed);
  }

  private static String renamed(String name) {
    return "GitHub calls the repository %s now: connect it by its new address, or its hooks are not heard."
        .formatted(name);
  }

  @Override
  public HostUsage usage() {
    return client.usage();
  }

  @Override
  public List<Status> statuses(CommitSha commit) {
    return checks.statuses(commit);
  }

  @Override
  public boolean rerun(CommitSha commit, String name) {
    return new Runs(client).again(commit, name);
  }

  @Override
  public boolean runsForFork(long run, CommitSha head) {
    return new Runs(client).isForFork(run, head);
  }

  @Override
  public void stop(CommitSha commit) {
    new Runs(client).stop(commit);
  }

  @Override
  public void write(Check check) {
    ownCheck().write(check);
  }

  @Override
  public void comment(PullRequestRef pr, String text) {
    talk.comment(pr, text);
  }

  @Override
  public Comments comments(Optional<String> since) {
    return new NewComments(client).since(since);
  }

  @Override
  public void react(PullRequestRef pr, String comment, Reaction reaction) {
    new NewComments(client).react(comment, reaction);
  }

  @Override
  public Optional<Cover> cover(PullRequestRef pr) {
    return pulls.cover(pr);
  }

  @Override
  public Covers covers(Optional<String> since) {
    return pulls.covers();
  }

  @Override
  public Optional<Deed> labelled(PullRequestRef pr, String label) {
    return new Labels(client).labelled(pr, label);
  }

  @Override
  public Optional<Deed> armed(PullRequestRef pr) {
    return new Labels(client).armed(pr);
  }

  @Override
  public void label(PullRequestRef pr, Set<String> set, Set<String> take) {
    new Labels(client).label(pr, set, take);
  }

  @Override
  public Permission permission(String login) {
    return talk.permission(login);
  }

  @Override
  public PullRequestRef open(TestPullRequest test) {
    return new TestPulls(client).open(test);
  }

  @Override
  public void close(PullRequestRef test) {
    pulls.close(test);
  }

  @Override
  public List<Finding> findings(Set<String> targetBranches) {
    var findings = new ArrayList<>(new Setup(client, required).findings(targetBranches));
    pulls.saw(client.get("").json());
    pulls
        .newName()
        .map(GitHubApi::renamed)
        .ifPresent(
            sentence ->
                findings.addFirst(
                    Finding.missing(
                        sentence, "Disconnect it, and connect it by the new address.")));
    return findings;
  }

  @Override
  public void close() {
    client.close();
  }
}
