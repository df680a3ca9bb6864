package dev.mainstay.server.forge.github;

import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * The fake GitHub for those outside of this package: it serves {@code acme/app}, a bare repository
 * that is there already, and makes no trouble. Several threads may use it.
 */
public final class GitHubDoor implements AutoCloseable {
  /** The repository as GitHub and its hooks name it. */
  public static final String PATH = "acme/app";

  public static final String TOKEN = FakeGitHub.TOKEN;
  public static final String APP = FakeTokens.APP;

  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  /** A pull request as people see it, with the number of comments on it. */
  public record Shown(boolean open, boolean merged, String head, int comments) {}

  private final FakeGitHub github;

  /** Serves the repository {@code acme/app.git} below the root. */
  public GitHubDoor(Path root) {
    this.github = new FakeGitHub(root);
  }

  public String address() {
    return github.address() + "/" + PATH;
  }

  /** The private key of the App, as GitHub hands it out. */
  public String appKey() {
    return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
        .formatted(LINES.encodeToString(github.tokens.privateKey()));
  }

  /** A number for the next pull request, which nobody else gets. */
  public int number() {
    synchronized (github) {
      return github.pulls.number();
    }
  }

  /** Opens a pull request to main, of this branch or, without one, of a fork. */
  public void open(int number, Optional<String> branch, String title, String head) {
    synchronized (github) {
      var pull = new FakePull(number, "ada", branch, "main", head);
      pull.title = title;
      github.pushed();
      github.pulls.add(pull);
    }
  }

  /**
   * Does this whenever somebody has moved the branch of a head, with the number of its pull
   * request, before anything else happens.
   */
  public void afterHeadMoved(IntConsumer deed) {
    synchronized (github) {
      github.pulls.afterHeadMoved = deed;
    }
  }

  public Shown shown(int number) {
    synchronized (github) {
      FakePull pull = github.pulls.pull(number);
      return new Shown(pull.open, pull.merged, pull.head, github.talk.comments(number).size());
    }
  }

  /** The open pull requests, those of test branches too. */
  public List<Integer> open() {
    synchronized (github) {
      return github.pulls.all().stream().filter(p -> p.open).map(p -> p.number).toList();
    }
  }

  /** Main requires this check, by GitHub Actions. */
  public void require(String check) {
    synchronized (github) {
      github.protection.classic.add(new FakeProtection.Required(check, FakeChecks.ACTIONS));
    }
  }

  /** A check of GitHub Actions begins, or ends by this conclusion. */
  public void report(String commit, String check, Optional<String> conclusion) {
    synchronized (github) {
      github.checks.report(commit, check, FakeChecks.ACTIONS, conclusion);
    }
  }

  /** The requests so far by their kind; those of git are not of the API. */
  public Map<String, Integer> requests() {
    return github.faults.counts();
  }

  @Override
  public void close() {
    github.close();
  }
}
