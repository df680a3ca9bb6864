package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.git.LandingCommits.Made;
import dev.mainstay.server.forge.git.LandingCommits.Piece;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds what a landing puts onto the target branch: the tested commits themselves where they stand
 * on it, else commits made anew. Those must have the tested tree, or, where something disjoint
 * landed meanwhile, each head must make the same change as it did when it was tested.
 */
record LandingPlan(GitCache cache, Landing landing, Supplier<Map<Head, PullRequestText>> texts) {
  /** The commits that land, or the fault for which nothing does. */
  record Planned(List<Landed> landed, Optional<LandingFault> fault) {
    static Planned not(LandingFault fault) {
      return new Planned(List.of(), Optional.of(fault));
    }
  }

  Planned plan() {
    String onto = landing.onto().value();
    Optional<TestedChain> tested =
        landing.tested().flatMap(t -> TestedChain.of(cache, t.value(), onto));
    Optional<TestedChain> standing =
        tested.filter(t -> landing.exactTree() && t.below().equals(onto));
    Optional<Map<Head, String>> all = standing.flatMap(t -> t.tips(landing.heads()));
    if (all.isPresent()) {
      return landed(all.get(), How.TESTED_COMMIT);
    }
    var commits = new LandingCommits(cache, landing.method(), texts.get(), Stamp.of(landing));
    Made made = commits.on(onto, landing.heads());
    if (made.broken().isPresent()) {
      return Planned.not(new LandingFault.Conflict(made.broken().get().head().pr()));
    }
    if (!isAsTested(made, tested)) {
      return Planned.not(new LandingFault.TreeDiffered());
    }
    List<Head> adding = made.pieces().stream().filter(Piece::adds).map(Piece::head).toList();
    return standing
        .flatMap(t -> t.tips(adding))
        .map(tips -> landed(tips, How.TESTED_COMMIT))
        .orElseGet(() -> landed(tips(made), How.REBUILT));
  }

  private Planned landed(Map<Head, String> tips, How how) {
    return new Planned(LandingMark.inOrder(landing, tips, how), Optional.empty());
  }

  private static Map<Head, String> tips(Made made) {
    var tips = new HashMap<Head, String>();
    made.pieces().stream().filter(Piece::adds).forEach(p -> tips.put(p.head(), p.tip()));
    return tips;
  }

  private boolean isAsTested(Made made, Optional<TestedChain> tested) {
    if (landing.exactTree()) {
      return landing
          .tested()
          .flatMap(t -> cache.commit(t.value()))
          .filter(c -> c.tree().equals(made.pieces().getLast().tree()))
          .isPresent();
    }
    return landing.tested().isEmpty() || tested.filter(t -> changesTheSame(made, t)).isPresent();
  }

  private boolean changesTheSame(Made made, TestedChain tested) {
    String before = cache.knownCommit(landing.onto().value()).tree();
    for (Piece piece : made.pieces()) {
      var now = new OwnDiff(before, piece.tree());
      Optional<OwnDiff> then = tested.diff(piece.head());
      if (piece.adds() != then.isPresent() || !then.map(t -> now.isSameAs(t, cache)).orElse(true)) {
        return false;
      }
      before = piece.tree();
    }
    return true;
  }
}
