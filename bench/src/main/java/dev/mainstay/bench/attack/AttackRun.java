package dev.mainstay.bench.attack;

import dev.mainstay.bench.attack.Attack.Outcome;
import dev.mainstay.bench.attack.Attack.Verdict;
import dev.mainstay.bench.crash.Workplace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code bench/attack [short] [NAME…]}: tries each attack, or the named ones, on a node of its own
 * and prints what held. Everything happens on the loopback addresses.
 */
public final class AttackRun {
  private record Named(String name, Attack attack) {}

  private static final List<Named> ALL =
      List.of(
          new Named("owners", UploadAttacks::owners),
          new Named("memory", DoorAttacks::memory),
          new Named("silence", DoorAttacks::silence),
          new Named("new-tests", UploadAttacks::newTests),
          new Named("trees", GitAttacks::trees),
          new Named("killer", CommandAttacks::killer),
          new Named("orphans", CommandAttacks::orphans),
          new Named("redirect", GitAttacks::redirect),
          new Named("leaks", GitAttacks::leaks),
          new Named("clock", MachineAttacks::clock),
          new Named("chunks", DoorAttacks::chunks),
          new Named("disk", MachineAttacks::disk),
          new Named("bundles", UploadAttacks::bundles));

  private AttackRun() {}

  public static void main(String[] args) throws Exception {
    var wanted = new ArrayList<>(List.of(args));
    boolean isShort = wanted.remove("short");
    List<String> known = ALL.stream().map(Named::name).toList();
    if (!known.containsAll(wanted)) {
      System.err.printf("There are only these attacks: %s.%n", String.join(", ", known));
      System.exit(2);
    }
    boolean fell = false;
    for (Named named : ALL) {
      if (wanted.isEmpty() || wanted.contains(named.name())) {
        fell |= tried(named, isShort) == Verdict.FELL;
      }
    }
    System.exit(fell ? 1 : 0);
  }

  private static Verdict tried(Named named, boolean isShort) throws Exception {
    Path directory = Workplace.create();
    long begun = System.nanoTime();
    Outcome outcome = outcome(named, new Scene(directory, isShort));
    System.out.printf(
        "%-9s %-9s %4d s  %s%n",
        named.name(),
        outcome.verdict(),
        Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
        outcome.seen());
    if (outcome.verdict() == Verdict.FELL) {
      System.out.println("          its files are in " + directory);
    } else {
      Workplace.delete(directory);
    }
    return outcome.verdict();
  }

  /** A fault in the middle is a fall as well: the node did not do what it was asked. */
  private static Outcome outcome(Named named, Scene scene) throws InterruptedException {
    try (scene) {
      return named.attack().on(scene);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return Outcome.of(false, e.toString());
    }
  }
}
