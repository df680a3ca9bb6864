package dev.mainstay.core.chance;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * What a queue has learned. The odds of a failure are the usual ones, moved by each trait that the
 * pull request has; each outcome moves the weights of its traits, the more the less is known of
 * them. Before anything is learned, one in twenty fails by itself and one pair in twenty-five
 * conflicts.
 *
 * <p>{@code weights} is in the order of last use, and so is {@code failedBefore}: what was used
 * longest ago is forgotten first.
 */
public record Learned(
    Weight usual,
    SequencedMap<Trait, Weight> weights,
    Pairs pairs,
    List<PullRequestRef> failedBefore,
    Durations durations) {
  private static final double USUAL_DOUBT = 0.5;
  private static final int MOST_TRAITS = 500;
  private static final int MOST_FAILED = 200;

  public static final Learned NOTHING =
      new Learned(
          new Weight(StrictMath.log(0.05 / 0.95), USUAL_DOUBT),
          new LinkedHashMap<>(),
          Pairs.NONE,
          List.of(),
          Durations.NONE);

  public Learned {
    weights = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(weights));
    failedBefore = List.copyOf(failedBefore);
  }

  /** The chance of a pull request with these traits to fail by itself. */
  public double fails(Collection<Trait> traits) {
    return chance(lean(traits));
  }

  /** The chance of two that meet to fail together. */
  public double conflicts() {
    return pairs.rate();
  }

  /**
   * A trait and how much it moves the chance to fail: by how much the chance differs without it.
   */
  public record Driver(Trait trait, double moves) {}

  /** The traits that move the chance by at least this, the strongest first. */
  public List<Driver> drivers(Collection<Trait> traits, double least) {
    double all = lean(traits);
    var drivers = new ArrayList<Driver>();
    for (Trait trait : traits) {
      double moves = chance(all) - chance(all - weight(trait).lean());
      if (Math.abs(moves) >= least) {
        drivers.add(new Driver(trait, moves));
      }
    }
    drivers.sort((a, b) -> Double.compare(Math.abs(b.moves), Math.abs(a.moves)));
    return drivers;
  }

  /** A pull request with these traits passed, tested on top of so many others. */
  public Learned passed(Collection<Trait> traits, int others) {
    return new Learned(usual, weights, pairs.after(others, 0), failedBefore, durations)
        .saw(traits, 0);
  }

  /**
   * A pull request with these traits failed by its own fault, or together with one of so many
   * others that merged: each is as likely to be the reason as it was before.
   */
  public Learned failed(PullRequestRef pr, Collection<Trait> traits, int others) {
    double own = fails(traits);
    double any = 1 - (1 - own) * StrictMath.pow(1 - conflicts(), others);
    double byItself = own / any;
    return new Learned(usual, weights, pairs.after(others, 1 - byItself), withFailed(pr), durations)
        .saw(traits, byItself);
  }

  /** Tests that passed took so long, or were given up after it. */
  public Learned took(Duration duration) {
    return new Learned(usual, weights, pairs, failedBefore, durations.after(duration));
  }

  private List<PullRequestRef> withFailed(PullRequestRef pr) {
    var failed = new ArrayList<>(failedBefore);
    failed.remove(pr);
    failed.add(pr);
    return failed.subList(Math.max(0, failed.size() - MOST_FAILED), failed.size());
  }

  private Learned saw(Collection<Trait> traits, double failure) {
    double expected = fails(traits);
    double surprise = failure - expected;
    double information = expected * (1 - expected);
    double doubts = usual.doubt();
    for (Trait trait : traits) {
      doubts += weight(trait).doubt();
    }
    var moved = new LinkedHashMap<>(weights);
    for (Trait trait : traits) {
      Weight after = weight(trait).after(surprise, information, doubts, trait.kind().doubt());
      moved.putLast(trait, after);
    }
    while (moved.size() > MOST_TRAITS) {
      moved.pollFirstEntry();
    }
    Weight common = usual.after(surprise, information, doubts, USUAL_DOUBT);
    return new Learned(common, moved, pairs, failedBefore, durations);
  }

  private double lean(Collection<Trait> traits) {
    double sum = usual.lean();
    for (Trait trait : traits) {
      sum += weight(trait).lean();
    }
    return sum;
  }

  private Weight weight(Trait trait) {
    Weight known = weights.get(trait);
    return known == null ? new Weight(0, trait.kind().doubt()) : known;
  }

  private static double chance(double logOdds) {
    return 1 / (1 + StrictMath.exp(-logOdds));
  }
}
