package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.Waiting;
import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.git.BareRepository;
import dev.mainstay.server.forge.git.WorldOnDisk;
import dev.mainstay.server.forge.git.copy.GitLimits;
import dev.mainstay.server.forge.rest.Budget;
import dev.mainstay.server.forge.rest.RestClient;
import dev.mainstay.server.forge.rest.Usage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A repository of a real Gitea. Its author {@code ada} opens pull requests from a fork, so that the
 * repository itself has the branches that a test gives it, and no others.
 */
final class GiteaWorld extends WorldOnDisk {
  static final String ADA = "ada";

  private static final Map<String, GiteaCalls> PEOPLE = new HashMap<>();

  private final RealGitea gitea = RealGitea.get();
  private final Path root;
  private final String name = RealGitea.newName();
  private final Usage usage = new Usage();
  private final Budget budget = new Budget(InstantSource.system(), Budget.Writes.ANY);
  private boolean forked;
  private int numbers;

  GiteaWorld(Path root) {
    super(made(root).resolve("author.git"));
    this.root = root;
    owner().post("user/repos", Map.of("name", name, "default_branch", "main"));
    owner().patch(path(), Map.of("allow_manual_merge", true, "autodetect_manual_merge", true));
  }

  private static Path made(Path root) {
    try {
      return Files.createDirectories(root);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  GiteaCalls owner() {
    return gitea.owner();
  }

  /** The API, as somebody else; each person has one token for all tests. */
  GiteaCalls as(String login) {
    synchronized (PEOPLE) {
      return PEOPLE.computeIfAbsent(login, gitea::as);
    }
  }

  /** The path of the repository in the API. */
  String path() {
    return "repos/" + RealGitea.OWNER + "/" + name;
  }

  String path(int pullRequest) {
    return path() + "/pulls/" + pullRequest;
  }

  String location() {
    return gitea.address() + "/" + RealGitea.OWNER + "/" + name;
  }

  JsonNode pull(int number) {
    return owner().get(path(number));
  }

  /** Waits until the host has noticed what was done, which it does after it answered. */
  JsonNode pullOnce(int number, String field, Object value) {
    return Waiting.until(
        () -> pull(number), pull -> pull.at(field).asString().equals(value.toString()));
  }

  @Override
  public Forge node() {
    return node(owner().token());
  }

  Forge node(String token) {
    var kind =
        new GiteaKind(
            root.resolve("node" + nodes()), GitLimits.USUAL, InstantSource.system(), Reach.usual());
    return added(kind.open(location(), () -> Optional.of(new Credentials("token\n" + token))));
  }

  /** The API as we use it, by the token of somebody. */
  GiteaApi api(String token) {
    var rest =
        new RestClient(
            URI.create(gitea.address() + "/api/v1"),
            () -> Map.of("Authorization", "token " + token),
            () -> budget,
            usage,
            Reach.usual().networks());
    return new GiteaApi(rest, GiteaPlace.of(location()));
  }

  GiteaApi api() {
    return api(owner().token());
  }

  /** The requests of {@link #api}. */
  Usage usage() {
    return usage;
  }

  /** A token that may do only some things. */
  String token(String login, String... scopes) {
    return gitea.token(login, scopes);
  }

  @Override
  public BareRepository disk() {
    return new BareRepository(gitea.disk(RealGitea.OWNER, name));
  }

  @Override
  protected String pushAddress() {
    return owner().git(RealGitea.OWNER, name);
  }

  /** Waits until the host has noticed the push, too. */
  @Override
  public void push(String branch, CommitSha commit) {
    super.push(branch, commit);
    // Gitea breaks down where it is asked for a branch of what it takes for empty.
    Waiting.until(() -> owner().get(path()), itself -> !itself.path("empty").asBoolean());
    Waiting.until(
        () -> owner().call("GET", path() + "/branches/" + branch, Map.of()).json(),
        seen -> seen.at("/commit/id").asString("").equals(commit.value()));
  }

  /** The default branch cannot be deleted: another becomes that first. */
  @Override
  public void deleteBranch(String branch) {
    String other = "instead-of-" + branch;
    owner().post(path() + "/branches", Map.of("new_branch_name", other, "old_branch_name", branch));
    owner().patch(path(), Map.of("default_branch", other));
    owner().delete(path() + "/branches/" + branch);
  }

  @Override
  public void open(int pullRequest, CommitSha head) {
    fork();
    boolean known = pullRequest <= numbers;
    if (known) {
      as(ADA).call("PATCH", path(pullRequest), Map.of("state", "open"));
    }
    pusher().push(as(ADA).git(ADA, name), "+" + head + ":refs/heads/pr" + pullRequest);
    if (!known) {
      create(pullRequest, head);
    }
    if (pull(pullRequest).path("state").asString().equals("open")) {
      awaitHead(pullRequest, head);
    }
  }

  /** Somebody else opened the pull request of this number. */
  void opened(int number) {
    numbers = number;
  }

  private void fork() {
    if (!forked) {
      as(ADA).post(path() + "/forks", Map.of());
      forked = true;
    }
  }

  /**
   * The host counts pull requests and issues together: issues fill the numbers that are left out.
   */
  private void create(int pullRequest, CommitSha head) {
    while (numbers + 1 < pullRequest) {
      as(ADA).post(path() + "/issues", Map.of("title", "An issue"));
      numbers++;
    }
    Written written = Written.of(pusher().message(head));
    JsonNode made =
        as(ADA)
            .post(
                path() + "/pulls",
                Map.of(
                    "head",
                    ADA + ":pr" + pullRequest,
                    "base",
                    "main",
                    "title",
                    written.title(),
                    "body",
                    written.text()));
    numbers = made.path("number").asInt();
  }

  void awaitHead(int pullRequest, CommitSha head) {
    Waiting.until(
        () -> disk().run("for-each-ref", "--format=%(objectname)", RefNames.head(pullRequest)),
        found -> found.strip().equals(head.value()));
  }

  @Override
  public void describe(int pullRequest, String text) {
    Written written = Written.of(text);
    as(ADA)
        .patch(
            path(pullRequest),
            Map.of(
                "title", (written.draft() ? "WIP: " : "") + written.title(),
                "body", written.text(),
                "base", written.base()));
  }

  @Override
  public void close(int pullRequest) {
    if (!pull(pullRequest).path("merged").asBoolean()) {
      as(ADA).patch(path(pullRequest), Map.of("state", "closed"));
    }
  }

  @Override
  public String author(String name) {
    return ADA;
  }

  @Override
  public void refuse(String words) {
    disk().refuse("update.d/refuse", words);
  }

  @Override
  public void vanish() {
    owner().delete(path());
  }
}
