package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.LandedHow;
import dev.mainstay.core.queue.LandingId;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.QueueAction.Land;
import dev.mainstay.core.queue.QueueEvent.Landed;
import dev.mainstay.core.queue.QueueEvent.LandingEnded;
import dev.mainstay.core.simulation.check.play.Luck.Roll;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The forge's merge button: merges what is asked for if it still can, and each landing once. At
 * times it merges and nobody hears of it.
 */
public final class Landings {
  private static final LandingProblem AWAY =
      new LandingProblem.ForgeUnavailable("The forge is away");
  private final Luck luck;
  private final FakeForge forge;
  private final boolean allOrNone;
  private FaultRates faults;
  private final Map<LandingId, LandingEnded> ended = new HashMap<>();
  private final Set<Integer> refused = new HashSet<>();

  public Landings(Luck luck, FakeForge forge, FaultRates faults, boolean allOrNone) {
    this.luck = luck;
    this.forge = forge;
    this.faults = faults;
    this.allOrNone = allOrNone;
  }

  public void calmDown() {
    faults = FaultRates.NONE;
  }

  public Optional<LandingEnded> answered(Land land) {
    return Optional.ofNullable(ended.get(land.landing()));
  }

  /** The forge once would not merge this pull request. */
  public boolean everRefused(int pr) {
    return refused.contains(pr);
  }

  public LandingEnded land(Land land) {
    LandingEnded answer = answered(land).orElseGet(() -> attempt(land));
    ended.put(land.landing(), answer);
    return answer;
  }

  private LandingEnded attempt(Land land) {
    if (!land.onto().equals(forge.head())) {
      return over(land, List.of(), Optional.of(new LandingProblem.TargetMoved(forge.head())));
    }
    Optional<LandingProblem> badLuck = badLuck(land);
    if (badLuck.isPresent()) {
      return over(land, List.of(), badLuck);
    }
    Optional<LandingProblem> foreseen = allOrNone ? firstProblem(land) : Optional.empty();
    if (foreseen.isPresent()) {
      return over(land, List.of(), foreseen);
    }
    LandingEnded done = oneByOne(land);
    boolean unheard =
        luck.happens(faults.landingFails() / 4, Roll.LANDING_FAILS, land.landing().number());
    return unheard && done.problem().isEmpty() ? over(land, List.of(), Optional.of(AWAY)) : done;
  }

  private LandingEnded oneByOne(Land land) {
    var landed = new ArrayList<Landed>();
    for (Change change : land.changes()) {
      Optional<LandingProblem> problem = problem(change, forge.tree(forge.head()));
      if (problem.isEmpty() && !allOrNone && !landed.isEmpty()) {
        problem =
            luck.happens(faults.halfLandings(), Roll.LANDING_FAILS, Patch.of(change).hash())
                ? Optional.of(AWAY)
                : Optional.empty();
      }
      if (problem.isPresent()) {
        return over(land, landed, problem);
      }
      landed.add(landed(change));
    }
    return over(land, landed, Optional.empty());
  }

  /** A change that is there already adds nothing. */
  private Landed landed(Change change) {
    FakePullRequest pr = forge.pr(change.pr());
    if (forge.hasLanded(Patch.of(change))) {
      pr.status = Status.MERGED;
      return new Landed(change.pr(), forge.head(), Optional.of(LandedHow.ALREADY_THERE));
    }
    return new Landed(change.pr(), forge.advance(Patch.of(change)));
  }

  private Optional<LandingProblem> firstProblem(Land land) {
    Tree tree = forge.tree(land.onto());
    for (Change change : land.changes()) {
      Optional<LandingProblem> problem = problem(change, tree);
      if (problem.isPresent()) {
        return problem;
      }
      tree = tree.with(Patch.of(change));
    }
    return land.exactTree() && land.tested().filter(this::isBuilt).isPresent()
        ? differing(land.tested().get(), tree)
        : Optional.empty();
  }

  private boolean isBuilt(CommitSha commit) {
    return forge.knows(commit);
  }

  private Optional<LandingProblem> differing(CommitSha tested, Tree tree) {
    return forge.tree(tested).equals(tree)
        ? Optional.empty()
        : Optional.of(new LandingProblem.TreeDiffered());
  }

  private Optional<LandingProblem> problem(Change change, Tree tree) {
    FakePullRequest pr = forge.pr(change.pr());
    if (pr.status == Status.MERGED) {
      return Optional.of(new LandingProblem.HeadMoved(change.pr()));
    }
    if (!pr.mayMerge()) {
      refused.add(pr.number);
      return Optional.of(new LandingProblem.Refused(change.pr(), "It is not open for merging"));
    }
    if (!pr.patch().head().equals(change.head())) {
      return Optional.of(new LandingProblem.HeadMoved(change.pr()));
    }
    return forge.merges(Patch.of(change), tree)
        ? Optional.empty()
        : Optional.of(new LandingProblem.Conflicted(change.pr()));
  }

  private Optional<LandingProblem> badLuck(Land land) {
    long about = land.changes().stream().mapToLong(c -> Patch.of(c).hash()).reduce(7, Luck::mix);
    if (!luck.happens(faults.landingFails(), Roll.LANDING_FAILS, about)) {
      return Optional.empty();
    }
    return Optional.of(
        switch ((int) luck.between(0, 9, Roll.LANDING_FAILS, about)) {
          case 0, 1 -> new LandingProblem.TreeDiffered();
          case 2 -> refused(land.changes().getFirst());
          default -> AWAY;
        });
  }

  private LandingProblem refused(Change change) {
    refused.add(change.pr().number());
    return new LandingProblem.Refused(change.pr(), "The branch is protected");
  }

  private static LandingEnded over(
      Land land, List<Landed> landed, Optional<LandingProblem> problem) {
    return new LandingEnded(land.landing(), landed, problem);
  }
}
