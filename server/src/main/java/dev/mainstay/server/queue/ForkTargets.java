package dev.mainstay.server.queue;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Purpose;
import dev.mainstay.server.platform.Caches;
import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Impacted targets that a workflow of a fork tells. It has no key; the run that it names is looked
 * up at the host instead, and counts for this one call. The number of a run is no secret: so what
 * is told this way only ever adds to what is known of a head, and strangers have few tries.
 */
public final class ForkTargets {
  private static final Logger log = LoggerFactory.getLogger("queue");
  private static final int MOST_A_MINUTE = 30;
  private static final int MOST_REMEMBERED = 10_000;
  private static final long MINUTE_MILLIS = 60_000;

  private final Database database;
  private final Clock clock;
  private final Forges forges;
  private final PullRequests pullRequests;
  private final Cache<String, Tries> tries = Caches.ofAtMost(MOST_REMEMBERED);

  /** The calls for a repository in a minute, whether or not there is such a repository here. */
  private record Tries(long minute, int count) {}

  ForkTargets(Database database, Clock clock, Forges forges, PullRequests pullRequests) {
    this.database = database;
    this.clock = clock;
    this.forges = forges;
    this.pullRequests = pullRequests;
  }

  public Outcomes.SetForkTargets set(
      RepoName repo,
      String branch,
      PullRequestRef pr,
      CommitSha head,
      long run,
      ImpactedTargets targets) {
    if (isTooOften(repo)) {
      return new Outcomes.TooManyRuns();
    }
    var proven = new ArrayList<Long>();
    for (ConnectionStore.Owned one : database.query(h -> ConnectionStore.named(h, repo))) {
      if (isProven(one.repositoryId(), run, head)) {
        proven.add(one.organizationId());
      }
    }
    if (proven.isEmpty()) {
      return new Outcomes.Unproven();
    }
    List<Outcomes.SetTargets> set =
        proven.stream()
            .map(id -> pullRequests.addImpactedTargets(id, repo, branch, pr, head, targets))
            .toList();
    return set.contains(new Outcomes.TargetsSet())
        ? new Outcomes.TargetsSet()
        : new Outcomes.NoSuchQueue();
  }

  private boolean isTooOften(RepoName repo) {
    long minute = clock.millis() / MINUTE_MILLIS;
    Tries now =
        tries
            .asMap()
            .merge(
                repo.key(),
                new Tries(minute, 1),
                (was, one) -> was.minute() == minute ? new Tries(minute, was.count() + 1) : one);
    return now.count() > MOST_A_MINUTE;
  }

  private boolean isProven(long repositoryId, long run, CommitSha head) {
    try {
      return forges
          .of(repositoryId)
          .map(Forges.Connected::forge)
          .filter(forge -> forge.abilities().has(Ability.RUN_NUMBERS))
          .flatMap(Forge::host)
          .filter(host -> Purpose.TALKING.during(() -> host.runsForFork(run, head)))
          .isPresent();
    } catch (ForgeUnavailable | CredentialsRefused e) {
      log.info("run {} of repository {} is not looked up: {}", run, repositoryId, e.getMessage());
      return false;
    }
  }
}
