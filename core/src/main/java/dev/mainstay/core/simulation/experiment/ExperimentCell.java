package dev.mainstay.core.simulation.experiment;

import dev.mainstay.core.simulation.world.Authors;
import dev.mainstay.core.simulation.world.BuildTime;
import dev.mainstay.core.simulation.world.TargetMix;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoublePredicate;
import java.util.stream.Stream;

/**
 * One kind of world of the experiment and the slots in it, written {@code 500/500}, changes per
 * hour and slots, with what differs from the published world behind it: {@code
 * 500/500/targets=3/flakes=1%}.
 *
 * @param targets how many a change touches on average
 * @param failures share of the changes that are broken by themselves
 * @param flakes share of the builds that fail for no reason
 * @param authors how many people write the changes; 0 where all changes are alike
 * @param drift after how many hours each author is somebody else; 0 for never
 */
public record ExperimentCell(
    int arrivalsPerHour,
    int slots,
    int targets,
    double failures,
    double flakes,
    int authors,
    double drift) {

  private static final int MOST_ARRIVALS = 2000;
  private static final int MOST_SLOTS = 1000;
  private static final int MOST_TARGETS = 20;
  private static final int MOST_AUTHORS = 10_000;
  private static final double MOST_DRIFT = 1000;
  private static final double USUAL_FAILURES = 0.05;
  private static final int USUAL_AUTHORS = 50;

  /** The deviation of the logarithm of the odds of authors to fail. */
  private static final double AUTHOR_SPREAD = 1.5;

  /** Every change meets something in flight in 31 % of the cases at 100 an hour, 72 % at 500. */
  private static final TargetMix ONE_TARGET = new TargetMix(180, 1, 0.5, 0);

  /** With three targets each, as many changes meet one in flight among 1,500 as else among 180. */
  private static final int TARGETS_OF_SEVERAL = 1500;

  private static final List<String> MEASURED =
      List.of(
          "500/500",
          "500/100",
          "500/200",
          "500/300",
          "500/400",
          "500/500/targets=3",
          "500/500/failures=1%",
          "500/500/failures=10%",
          "500/500/failures=20%",
          "500/500/authors=50",
          "500/500/authors=50/drift=1",
          "500/500/flakes=1%",
          "500/500/flakes=5%");

  /** The cells that docs/experiment.md tells of. */
  public static List<ExperimentCell> measured() {
    return MEASURED.stream().map(ExperimentCell::parse).toList();
  }

  /** The published world at this rate. */
  static ExperimentCell published(int arrivalsPerHour, int slots) {
    return new ExperimentCell(arrivalsPerHour, slots, 1, USUAL_FAILURES, 0, 0, 0);
  }

  public static ExperimentCell parse(String text) {
    String[] parts = text.strip().toLowerCase(Locale.ROOT).split("/", -1);
    if (parts.length < 2) {
      throw unreadable(text);
    }
    ExperimentCell cell =
        published(whole(parts[0], text, MOST_ARRIVALS), whole(parts[1], text, MOST_SLOTS));
    for (String part : List.of(parts).subList(2, parts.length)) {
      cell = cell.with(part, text);
    }
    return cell;
  }

  private ExperimentCell with(String part, String text) {
    String[] pair = part.split("=", 2);
    String value = pair.length == 2 ? pair[1].strip() : "";
    return switch (pair[0].strip()) {
      case "targets" -> edited(whole(value, text, MOST_TARGETS), failures, flakes, authors, drift);
      case "failures" -> edited(targets, share(value, text), flakes, authors, drift);
      case "flakes" -> edited(targets, failures, share(value, text), authors, drift);
      case "authors" -> edited(targets, failures, flakes, whole(value, text, MOST_AUTHORS), drift);
      case "drift" ->
          edited(
              targets,
              failures,
              flakes,
              authors == 0 ? USUAL_AUTHORS : authors,
              number(value, text, hours -> hours > 0 && hours <= MOST_DRIFT));
      default -> throw unreadable(text);
    };
  }

  private ExperimentCell edited(
      int newTargets, double newFailures, double newFlakes, int newAuthors, double newDrift) {
    return new ExperimentCell(
        arrivalsPerHour, slots, newTargets, newFailures, newFlakes, newAuthors, newDrift);
  }

  /** The cell as it is written; the same cell is always written the same way. */
  public String name() {
    var parts = new ArrayList<String>();
    parts.add(Integer.toString(arrivalsPerHour));
    parts.add(Integer.toString(slots));
    Stream.of(
            targets == 1 ? "" : "targets=" + targets,
            failures == USUAL_FAILURES ? "" : "failures=" + percent(failures),
            flakes == 0 ? "" : "flakes=" + percent(flakes),
            authors == 0 ? "" : "authors=" + authors,
            drift == 0 ? "" : "drift=" + plain(drift))
        .filter(part -> !part.isEmpty())
        .forEach(parts::add);
    return String.join("/", parts);
  }

  /** The world, where changes arrive for so long. */
  public WorldSettings world(double hours) {
    return new WorldSettings(
        arrivalsPerHour,
        (int) Math.max(1, Math.round(arrivalsPerHour * hours)),
        new BuildTime.LogNormal(30, 0.5, 5, 120),
        failures,
        0.04,
        0,
        60,
        flakes,
        targets == 1 ? ONE_TARGET : new TargetMix(TARGETS_OF_SEVERAL, targets, 0.5, 0),
        authors == 0 ? Authors.ALIKE : new Authors(authors, AUTHOR_SPREAD, drift));
  }

  private static int whole(String digits, String text, int most) {
    return (int) number(digits, text, n -> n == Math.rint(n) && n >= 1 && n <= most);
  }

  private static double share(String written, String text) {
    boolean percent = written.endsWith("%");
    String digits = percent ? written.substring(0, written.length() - 1) : written;
    double number = number(digits, text, n -> n >= 0 && n <= (percent ? 100 : 1));
    return percent ? number / 100 : number;
  }

  private static double number(String digits, String text, DoublePredicate isAllowed) {
    try {
      double number = Double.parseDouble(digits.strip());
      if (isAllowed.test(number)) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // Falls through to the one message for every bad cell.
    }
    throw unreadable(text);
  }

  private static IllegalArgumentException unreadable(String text) {
    return new IllegalArgumentException(
        ("'%s' is not a cell; write CHANGES/SLOTS (at most %d and %d), and what differs behind it:"
                + " 500/500/targets=3, failures=20%%, flakes=1%%, authors=50, drift=1")
            .formatted(text, MOST_ARRIVALS, MOST_SLOTS));
  }

  private static String percent(double share) {
    return plain(Math.rint(share * 1e6) / 1e4) + "%";
  }

  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
