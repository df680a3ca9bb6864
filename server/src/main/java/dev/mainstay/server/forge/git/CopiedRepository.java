package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository;
import dev.mainstay.server.forge.Purpose;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.git.copy.CacheBroken;
import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitCache;
import dev.mainstay.server.forge.git.copy.GitErrors;
import dev.mainstay.server.forge.git.copy.GitLimits;
import dev.mainstay.server.forge.git.copy.Remote;
import dev.mainstay.server.forge.git.copy.Tags;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A git repository that is worked on by way of a copy on this node's disk. Where it lies at a host,
 * that tells what people wrote, and has its wishes around a landing.
 */
public final class CopiedRepository implements GitRepository, AutoCloseable {
  private static final int MAX_FILE = 4 << 20;
  private static final Duration AFTER_VAIN_COPY = Duration.ofMinutes(10);
  private static final List<String> MOST_REACHED = List.of("--max-count=50000");

  private final FarSide far;
  private final GitLimits limits;
  private final Map<String, String> environment;
  private final CacheDirectory place;
  private final Texts texts;
  private final Optional<AroundLanding> around;
  private final AtomicReference<Optional<Map<String, String>>> lastTags =
      new AtomicReference<>(Optional.empty());
  private final AtomicLong inVain = new AtomicLong(System.nanoTime() - AFTER_VAIN_COPY.toNanos());
  private GitCache cache;
  private int users;
  private boolean leaving;
  private boolean closed;

  private CopiedRepository(
      FarSide far,
      CacheDirectory place,
      GitLimits limits,
      Map<String, String> environment,
      Texts texts,
      Optional<AroundLanding> around) {
    this.far = far;
    this.texts = texts;
    this.around = around;
    this.limits = limits;
    this.environment = environment;
    this.place = place;
    this.cache = GitCache.open(place, far, limits, environment);
  }

  static CopiedRepository plain(
      FarSide far,
      Path caches,
      GitLimits limits,
      Map<String, String> environment,
      KnownMetas metas) {
    CacheDirectory place = CacheDirectory.take(caches, far.address());
    return new CopiedRepository(far, place, limits, environment, metas, Optional.empty());
  }

  /** A repository at a host. Asks it nothing yet. */
  public static CopiedRepository hosted(
      FarSide far,
      Path caches,
      GitLimits limits,
      Function<PullRequestRef, PullRequestText> texts,
      AroundLanding around) {
    CacheDirectory place = CacheDirectory.take(caches, far.address());
    return new CopiedRepository(
        far, place, limits, Map.of(), new ToldTexts(texts), Optional.of(around));
  }

  /** All branches, by one listing. */
  public Map<String, CommitSha> branches() {
    String prefix = RefNames.branch("");
    Map<String, CommitSha> branches = new TreeMap<>();
    with(remote -> remote.list(List.of(prefix + "*")))
        .forEach((name, sha) -> branches.put(name.substring(prefix.length()), new CommitSha(sha)));
    return branches;
  }

  /** How a head stands to a target branch; empty where the head is not to be had. */
  public Optional<Standing> standing(PullRequestRef pr, CommitSha head, String targetBranch) {
    if (!RefNames.isCommit(head)) {
      return Optional.empty();
    }
    return with(
        remote -> {
          boolean validTarget = RefNames.isBranch(targetBranch);
          var references = new ArrayList<>(remote.pulls().of(pr.number()));
          if (validTarget) {
            references.add(RefNames.branch(targetBranch));
          }
          remote.fetch(references);
          // The reference of a pull request may stay behind its head.
          remote.bring(head.value());
          Optional<String> target =
              validTarget
                  ? remote.cache().fetched(RefNames.branch(targetBranch))
                  : Optional.empty();
          return remote.cache().has(head.value())
              ? Optional.of(Standing.of(remote.cache(), head.value(), target))
              : Optional.empty();
        });
  }

  @Override
  public BuildResult build(TestBranch branch) {
    String reference = RefNames.testBranch(branch.name());
    return with(remote -> TestBranches.build(remote, texts, branch, reference));
  }

  @Override
  public LandingResult land(Landing landing) {
    return with(
        remote ->
            around
                .map(host -> landAt(host, remote, landing))
                .orElseGet(() -> new GitLanding(remote, texts, landing).land()));
  }

  private LandingResult landAt(AroundLanding host, Remote remote, Landing landing) {
    var hosted = new HostedLanding(remote, texts, host, landing);
    return Purpose.LANDING.during(hosted::land);
  }

  @Override
  public Set<CommitSha> reached(CommitSha from, CommitSha to, Set<CommitSha> heads) {
    if (heads.isEmpty() || !RefNames.isCommit(from) || !RefNames.isCommit(to)) {
      return Set.of();
    }
    return with(
        remote -> {
          remote.bring(List.of(from.value(), to.value()), List.of("refs/heads/*"));
          if (!remote.cache().has(to.value())) {
            return Set.of();
          }
          List<String> known = remote.cache().has(from.value()) ? List.of(from.value()) : List.of();
          var reached = new HashSet<>(remote.cache().commits(to.value(), known, MOST_REACHED));
          return heads.stream()
              .filter(h -> reached.contains(h.value()))
              .collect(Collectors.toSet());
        });
  }

  @Override
  public boolean isSum(CommitSha to, CommitSha from, List<Head> heads) {
    if (!RefNames.isCommit(from) || !RefNames.isCommit(to)) {
      return false;
    }
    return with(remote -> TestBranches.isSum(remote, texts, to, from, heads));
  }

  @Override
  public void deleteTestBranches(List<String> names) {
    List<String> references = names.stream().map(RefNames::testBranch).distinct().toList();
    with(
        remote -> {
          TestBranches.delete(remote, references);
          return true;
        });
  }

  @Override
  public Optional<byte[]> file(CommitSha commit, String path) {
    if (!RefNames.isCommit(commit) || !RefNames.isPath(path)) {
      return Optional.empty();
    }
    return with(
        remote -> {
          remote.bring(List.of(commit.value()), List.of("refs/heads/*"));
          return remote.cache().blob(commit + ":" + path, MAX_FILE);
        });
  }

  @Override
  public Optional<String> checkout(CommitSha commit, Path directory) {
    return with(
        remote -> {
          remote.bring(
              List.of(commit.value()), List.of(RefNames.branch(RefNames.TEST_BRANCHES + "*")));
          if (!RefNames.isCommit(commit) || !remote.cache().has(commit.value())) {
            throw new ForgeUnavailable(
                "The commit %s is not in %s.".formatted(commit, far.address()));
          }
          return remote.checkout(commit.value(), directory, tags(remote));
        });
  }

  /** The tags of now; those of the last time where the far side cannot be asked. */
  private Map<String, String> tags(Remote remote) {
    try {
      Map<String, String> found = Tags.of(remote);
      lastTags.set(Optional.of(Map.copyOf(found)));
      return found;
    } catch (ForgeUnavailable | CredentialsRefused e) {
      return remote.withObjects(lastTags.get().orElseThrow(() -> e));
    }
  }

  /**
   * A copy that turns out to be broken is made anew, and the question asked once more. Where that
   * did not help, no other copy is made for a while: each costs as much as the repository is large.
   */
  <T> T with(Function<Remote, T> work) {
    enter();
    try {
      return asked(work);
    } finally {
      leave();
    }
  }

  private synchronized void enter() {
    if (leaving) {
      throw new ForgeUnavailable("The connection to %s was closed.".formatted(far.address()));
    }
    users++;
  }

  private synchronized void leave() {
    users--;
  }

  private <T> T asked(Function<Remote, T> work) {
    GitCache first = current();
    try {
      return work.apply(new Remote(first, far.address(), far.pulls()));
    } catch (CacheBroken e) {
      if (System.nanoTime() - inVain.get() < AFTER_VAIN_COPY.toNanos()) {
        throw unusable(e);
      }
      try {
        return work.apply(new Remote(replaced(first), far.address(), far.pulls()));
      } catch (CacheBroken again) {
        inVain.set(System.nanoTime());
        throw unusable(again);
      }
    }
  }

  private ForgeUnavailable unusable(CacheBroken e) {
    return new ForgeUnavailable(
        "The copy of %s on this node cannot be used: %s"
            .formatted(far.address(), GitErrors.bounded(String.valueOf(e.getMessage()))),
        e);
  }

  /**
   * Lets nobody begin anything more, and removes the copy; false while somebody is still at work
   * with it.
   */
  public synchronized boolean retire() {
    leaving = true;
    if (users == 0 && !closed) {
      closed = true;
      cache.close();
      place.remove();
    }
    return users == 0;
  }

  private synchronized GitCache current() {
    return cache;
  }

  private synchronized GitCache replaced(GitCache broken) {
    if (cache == broken) {
      broken.close();
      try {
        place.clear();
      } catch (IOException e) {
        throw new ForgeUnavailable("The copy of " + far.address() + " cannot be removed.", e);
      }
      cache = GitCache.open(place, far, limits, environment);
    }
    return cache;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      cache.close();
      place.close();
    }
  }
}
