package dev.mainstay.bench.crash;

import dev.mainstay.bench.BenchRepo;
import dev.mainstay.bench.GitHubHook;
import dev.mainstay.bench.crash.Repo.Kind;
import dev.mainstay.server.forge.github.GitHubDoor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A repository at the fake GitHub, connected by an App. Some of the pull requests are of forks,
 * which only GitHub itself can merge so that they are shown as merged. Now and then somebody pushes
 * to main just when a landing has moved the branch of a head, so that it has to go back: for good,
 * where that push is in conflict with it.
 */
final class AtGitHub implements Place {
  private static final String HOOK_SECRET = "crash-run-crash-run-crash-run";
  private static final int FORKS_ONE_IN = 4;
  private static final int PUSHES_PAST_ONE_IN = 6;
  private static final int OVERTAKEN_ONE_IN = 6;

  /** A pull request as its author left it. */
  private record Left(Optional<String> branch, String head, Kind kind) {}

  private final Repo repo;
  private final GitHubDoor github;
  private final Random random;
  private final Map<Integer, Left> left = new ConcurrentHashMap<>();
  private final Set<Integer> overtaken = ConcurrentHashMap.newKeySet();
  private final List<String> pushedPast = Collections.synchronizedList(new ArrayList<>());

  AtGitHub(Path directory, long seed) throws IOException {
    Path root = directory.resolve("github");
    this.repo = new Repo(root.resolve("acme").resolve("app.git"));
    this.github = new GitHubDoor(root);
    this.random = new Random(seed);
    github.afterHeadMoved(this::mayPushPast);
  }

  /** Heads of test branches move too, and heads go back to where their authors left them. */
  private void mayPushPast(int moved) {
    Optional<Left> away =
        Optional.ofNullable(left.get(moved))
            .filter(author -> !github.shown(moved).head().equals(author.head()));
    try {
      if (away.isPresent() && random.nextInt(OVERTAKEN_ONE_IN) == 0) {
        overtaken.add(moved);
        pushedPast.add(repo.overtake(moved, away.get().kind(), github.number()));
      } else if (random.nextInt(PUSHES_PAST_ONE_IN) == 0) {
        pushedPast.add(repo.pushPast(github.number()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean isOvertaken(int number) {
    return overtaken.contains(number);
  }

  @Override
  public Repo repo() {
    return repo;
  }

  @Override
  public Map<String, Object> connection() {
    var app =
        Map.of("id", GitHubDoor.APP, "privateKey", github.appKey(), "hookSecret", HOOK_SECRET);
    return Map.of("address", github.address(), "kind", "github", "credentials", Map.of("app", app));
  }

  @Override
  public Map<String, Object> settings() {
    return Map.of("createPrsForTestingBranches", true);
  }

  @Override
  public int open(Kind kind) throws IOException {
    int number = github.number();
    Optional<String> branch =
        random.nextInt(FORKS_ONE_IN) == 0 ? Optional.empty() : Optional.of("change-" + number);
    String head = branch.map(b -> "refs/heads/" + b).orElseGet(() -> BenchRepo.head(number));
    repo.open(head, number, kind);
    var one = new Left(branch, repo.commit(head), kind);
    github.open(number, branch, BenchRepo.title(number), one.head());
    left.put(number, one);
    return number;
  }

  @Override
  public Optional<String> leftAt(int number) {
    return Optional.ofNullable(left.get(number)).map(Left::head);
  }

  @Override
  public void tell(Fleet fleet) throws InterruptedException {
    fleet.hook(new GitHubHook(HOOK_SECRET, GitHubDoor.PATH));
  }

  /**
   * A batch with a fork's pull request lands in parts, so main was also what its last test stood
   * on. Nothing that was broken is ever whole again by what comes after it.
   */
  @Override
  public Set<String> allowedBy(List<String> tested) throws IOException {
    var trees = new HashSet<>(pushedPast);
    for (String commit : tested) {
      trees.addAll(repo.treesTo(commit));
    }
    return trees;
  }

  @Override
  public List<String> faults(Map<Integer, String> ends) throws IOException {
    var faults = new ArrayList<String>();
    for (var one : left.entrySet()) {
      int number = one.getKey();
      boolean merged = "MERGED".equals(ends.get(number));
      Optional<String> fault =
          merged ? unlikeMerged(number, one.getValue()) : unlikeLeft(number, one.getValue());
      fault.ifPresent(f -> faults.add("#%d is %s and %s".formatted(number, ends.get(number), f)));
    }
    github.open().stream()
        .filter(number -> !left.containsKey(number))
        .forEach(number -> faults.add("the test pull request #" + number + " is open"));
    return faults;
  }

  private Optional<String> unlikeMerged(int number, Left author) {
    GitHubDoor.Shown shown = github.shown(number);
    boolean told = author.branch().isEmpty() && !shown.open() && shown.comments() == 1;
    return (shown.merged() && shown.comments() <= 1) || told
        ? Optional.empty()
        : Optional.of("shown as " + shown);
  }

  private Optional<String> unlikeLeft(int number, Left author) throws IOException {
    GitHubDoor.Shown shown = github.shown(number);
    if (!shown.open() || !shown.head().equals(author.head())) {
      return Optional.of("shown as " + shown + ", left at " + author.head());
    }
    String reference = author.branch().map(b -> "refs/heads/" + b).orElse(BenchRepo.head(number));
    String now = repo.commit(reference);
    return now.equals(author.head())
        ? Optional.empty()
        : Optional.of("its head is " + now + ", left at " + author.head());
  }

  @Override
  public void close() {
    github.close();
  }
}
