package dev.mainstay.server.forge.git.copy;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.Caches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bare copy of what we need of one repository, and all that is asked of git about it. Nothing in
 * it is precious: it may be deleted at any time.
 */
public final class GitCache implements AutoCloseable {
  private static final int MAX_COMMIT = 1 << 20;
  private static final int MAX_REMEMBERED = 4 << 10;
  private static final int MOST_REMEMBERED = 5_000;
  private static final int PUSHES_PER_TIDYING = 1_000;
  private static final Duration TIDYING = Duration.ofHours(1);
  private static final Logger log = LoggerFactory.getLogger(GitCache.class);
  private static final String SETTINGS =
      """
      [core]
        repositoryformatversion = 0
        bare = true
        hooksPath = /dev/null
        attributesFile = /dev/null
        logAllRefUpdates = false
        fsmonitor = false
      [gc]
        auto = 0
        packRefs = false
      [maintenance]
        auto = false
      [fetch]
        recurseSubmodules = false
        writeCommitGraph = false
      [push]
        recurseSubmodules = no
      [submodule]
        recurse = false
      [protocol]
        version = 2
      [credential]
        helper =
      [http]
        lowSpeedLimit = 1000
        lowSpeedTime = 60
        followRedirects = false
      """;

  private final Path directory;
  private final FarCalls calls;
  private final GitLimits limits;
  private final Git git;
  private final ObjectReader objects;
  private final LooseObjects loose;
  private final Optional<Borrowed> borrowed;
  private final ReentrantLock fetching = new ReentrantLock();
  private final AtomicInteger pushes = new AtomicInteger();

  /** Small commits that were read, by their hashes: what a hash names never changes. */
  private final Cache<String, Commit> commits = Caches.ofAtMost(MOST_REMEMBERED);

  private final MergeBase bases = new MergeBase(this::commit);
  private final Merges merges = new Merges(bases, this::knownCommit, this::plainMerge, this::merge);

  private GitCache(
      Path directory, FarSide far, GitLimits limits, Git git, Optional<Borrowed> borrowed) {
    this.borrowed = borrowed;
    this.directory = directory;
    this.calls = new FarCalls(git, far, limits.remote());
    this.limits = limits;
    this.git = git;
    this.loose =
        new LooseObjects(
            directory.resolve("objects"), borrowed.map(Borrowed::objects).stream().toList());
    this.objects = new ObjectReader(git, limits.local(), loose);
  }

  public static GitCache open(
      CacheDirectory place, FarSide far, GitLimits limits, Map<String, String> environment) {
    Path directory = place.repository();
    try {
      // Read by the far side, too, where that is a path: only what it may know goes in here.
      Files.writeString(place.settings(), far.settings(directory));
      Files.createDirectories(directory);
      var git = new Git(directory, environment(place, environment));
      if (!looksWhole(directory)) {
        orBroken(git.run(limits.local(), List.of("init", "--bare", "--quiet", "--template=")));
      }
      Files.writeString(directory.resolve("config"), SETTINGS);
      Optional<Borrowed> borrowed = Borrowed.lend(far.address(), directory);
      return new GitCache(directory, far, limits, git, borrowed);
    } catch (IOException e) {
      throw new ForgeUnavailable(
          "There is no room for a copy of the repository in " + directory, e);
    }
  }

  private static Map<String, String> environment(CacheDirectory place, Map<String, String> extra) {
    var result = new HashMap<String, String>();
    result.put("GIT_DIR", place.repository().toString());
    result.put("GIT_CONFIG_GLOBAL", place.settings().toString());
    result.putAll(extra);
    return result;
  }

  boolean looksWhole() {
    return looksWhole(directory);
  }

  private static boolean looksWhole(Path directory) {
    return Files.isRegularFile(directory.resolve("HEAD"))
        && Files.isDirectory(directory.resolve("objects"))
        && Files.isDirectory(directory.resolve("refs"));
  }

  Git git() {
    return git;
  }

  public Path directory() {
    return directory;
  }

  /** The commit at which a reference stood when it was fetched. */
  public Optional<String> fetched(String reference) {
    return borrowed.isPresent()
        ? borrowed.get().reference(reference)
        : objects.find(kept(reference)).map(ObjectReader.Found::sha);
  }

  public boolean has(String sha) {
    return objects.find(sha).filter(f -> f.type().equals("commit")).isPresent();
  }

  boolean hasObject(String sha) {
    return objects.find(sha).isPresent();
  }

  /**
   * True where a head is known: its commit is here, and a borrowed repository was seen to point to
   * it.
   */
  public boolean hasHead(String sha) {
    return borrowed.map(b -> b.hasSeen(sha)).orElse(true) && has(sha);
  }

  public Optional<Commit> commit(String sha) {
    Commit known = commits.getIfPresent(sha);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<byte[]> read = objects.read(sha, "commit", MAX_COMMIT);
    Optional<Commit> commit = read.map(Commit::parse);
    read.ifPresent(bytes -> remember(sha, bytes, commit.orElseThrow()));
    return commit;
  }

  private void remember(String sha, byte[] bytes, Commit commit) {
    if (bytes.length <= MAX_REMEMBERED) {
      commits.put(sha, commit);
    }
  }

  /** Reads commits that will be asked for, all in one go. */
  public void readAhead(Collection<String> shas) {
    List<String> unknown =
        shas.stream().distinct().filter(sha -> commits.getIfPresent(sha) == null).toList();
    if (unknown.size() > 1) {
      objects
          .readAll(unknown, "commit", MAX_COMMIT)
          .forEach((sha, bytes) -> remember(sha, bytes, Commit.parse(bytes)));
    }
  }

  public Commit knownCommit(String sha) {
    return commit(sha).orElseThrow(() -> new CacheBroken("The commit " + sha + " is not there"));
  }

  /** The bytes of a tree, as git stores them. */
  public Optional<byte[]> tree(String sha, int maxSize) {
    return objects.read(sha, "tree", maxSize);
  }

  public Optional<byte[]> blob(String name, int maxSize) {
    return objects.read(name, "blob", maxSize);
  }

  public String write(Commit commit) {
    return loose.write(commit);
  }

  /** The tree of three trees merged, where that needs no process. */
  public Optional<String> plainMerge(String base, String ours, String theirs) {
    return new PlainMerge(this::tree, loose::write).tree(base, ours, theirs);
  }

  private Optional<String> merge(String ours, String theirs) {
    return merge(ours, theirs, false);
  }

  /** The tree of both commits merged, or nothing where they conflict, or git cannot merge them. */
  public Optional<String> merge(String ours, String theirs, boolean unrelated) {
    var call = new ArrayList<>(List.of("merge-tree", "--write-tree", "--no-messages"));
    if (unrelated) {
      call.add("--allow-unrelated-histories");
    }
    call.addAll(List.of(ours, theirs));
    Git.Result result = git.run(limits.local(), call);
    if ((result.exitCode() == 1 && !result.timedOut())
        || result.errors().contains("unrelated histories")) {
      return Optional.empty();
    }
    return result.ok() || !isSound(List.of(ours, theirs), result)
        ? Optional.of(orBroken(result).text().strip())
        : Optional.empty();
  }

  /** True where git failed though these commits are whole: they are such that it cannot do it. */
  private boolean isSound(List<String> commits, Git.Result failed) {
    return !failed.timedOut() && looksWhole() && Soundness.of(objects, commits);
  }

  public Merges merges() {
    return merges;
  }

  /** The newest commit that both share. */
  public Optional<String> mergeBase(String one, String other) {
    return switch (bases.find(one, other)) {
      case MergeBase.Answer.Shared(String sha) -> Optional.of(sha);
      case MergeBase.Answer.Nothing() -> Optional.empty();
      case MergeBase.Answer.AskGit() -> askForMergeBase(one, other);
    };
  }

  private Optional<String> askForMergeBase(String one, String other) {
    Git.Result result = git.run(limits.local(), List.of("merge-base", one, other));
    return result.exitCode() == 1 && !result.timedOut()
        ? Optional.empty()
        : Optional.of(orBroken(result).text().strip());
  }

  /**
   * The commits of {@code head} that are not in any of {@code without}, merges left out, oldest
   * first. Where one follows the other, that costs no process.
   */
  public List<String> ownCommits(String head, List<String> without, int most) {
    return new StraightLine(bases, this::commit)
        .from(head, without, most)
        .orElseGet(() -> commits(head, without, List.of("--no-merges", "--max-count=" + most)));
  }

  /** The commits of {@code head} that are not in any of {@code without}, oldest first. */
  public List<String> commits(String head, List<String> without, List<String> options) {
    var call = new ArrayList<>(List.of("rev-list", "--reverse", "--topo-order"));
    call.addAll(options);
    call.add(head);
    without.forEach(w -> call.add("^" + w));
    return must(call).text().lines().toList();
  }

  Git.Result must(List<String> call) {
    return orBroken(git.run(limits.local(), call));
  }

  private static Git.Result orBroken(Git.Result result) {
    if (result.timedOut()) {
      throw new ForgeUnavailable("git did not come to an end in time on this node.");
    }
    if (!result.ok()) {
      throw new CacheBroken("git failed: " + GitErrors.bounded(result.errors()));
    }
    return result;
  }

  /** Brings these references here, and forgets those that are gone; patterns end in {@code *}. */
  Git.Result fetch(List<String> references) {
    if (borrowed.isPresent()) {
      return look(borrowed.get(), references);
    }
    var call =
        List.of(
            "fetch",
            "--quiet",
            "--prune",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-auto-maintenance",
            "--no-show-forced-updates",
            "--no-recurse-submodules");
    List<String> wanted = references.stream().map(r -> "+" + r + ":" + kept(r)).toList();
    fetching.lock();
    try {
      return calls.run(call, wanted);
    } finally {
      fetching.unlock();
    }
  }

  private Git.Result look(Borrowed there, List<String> references) {
    Optional<Map<String, String>> found = there.list(references);
    Git.Result listed = found.isPresent() ? Git.Result.said("") : askForList(references);
    if (listed.ok()) {
      there.saw(references, found.orElseGet(() -> Listing.read(listed.text(), references)));
    }
    return listed;
  }

  public Git.Result push(List<String> options, List<String> references) {
    var call = new ArrayList<>(List.of("push", "--porcelain", "--no-verify"));
    call.addAll(calls.pushing());
    call.addAll(options);
    if (pushes.incrementAndGet() % PUSHES_PER_TIDYING == 0) {
      Thread.ofVirtual().name("git-tidying").start(this::tidy);
    }
    return calls.run(call, references);
  }

  /** Throws away objects that nobody needed for a day. Merges of that age may be among them. */
  public void tidy() {
    merges.clear();
    commits.invalidateAll();
    try {
      Git.Result result = git.run(TIDYING, List.of("gc", "--quiet", "--prune=1.day.ago"));
      if (!result.ok()) {
        log.warn("the copy in {} was not tidied: {}", directory, result.errors().strip());
      }
    } catch (ForgeUnavailable | CacheBroken e) {
      log.debug("the copy in {} was closed", directory, e);
    }
  }

  /** The references of a repository on this machine; empty where git is to be asked. */
  Optional<Map<String, String>> listWithoutGit(List<String> patterns) {
    return borrowed.flatMap(b -> b.list(patterns));
  }

  Git.Result prove() {
    return calls.prove();
  }

  /** Lines of a commit and a reference. */
  Git.Result askForList(List<String> patterns) {
    return calls.run(List.of("ls-remote", "--quiet"), patterns);
  }

  /**
   * The files of a commit, as they are stored: no hook and no filter touches them. The directory
   * becomes a git work tree with these tags, which reads objects here. Answers why no disk takes
   * them, where that is so.
   */
  Optional<String> checkout(String commit, Path into, Map<String, String> tags) {
    Git.Result result = WorkTree.checkOut(git, limits.local(), directory, commit, tags, into);
    if (result.ok()) {
      return Optional.empty();
    }
    WorkTree.checkRoom(into);
    if (result.timedOut()) {
      return Optional.of("it took longer than %d s".formatted(limits.local().toSeconds()));
    }
    if (!isSound(List.of(commit), result)) {
      orBroken(result);
    }
    return Optional.of(GitErrors.complaint(result.errors()));
  }

  void forget(String reference) {
    must(List.of("update-ref", "-d", kept(reference)));
  }

  private static String kept(String reference) {
    return reference.startsWith("refs/")
        ? "refs/remote/" + reference.substring("refs/".length())
        : "refs/remote/commits/" + reference;
  }

  @Override
  public void close() {
    objects.close();
    git.close();
  }
}
