package dev.mainstay.server.forge;

import java.util.EnumSet;
import java.util.Set;

/**
 * The abilities of a forge beyond git, as data: a queue asks before it relies on one, and a page
 * can say what is missing. What is not among them is never asked of its {@link Host}.
 */
public record Abilities(Set<Ability> all) {
  public static final Abilities NONE = new Abilities(Set.of());

  public enum Ability {
    /** The statuses of a commit can be read. */
    STATUSES,
    /** A check of ours can be written on a commit. */
    CHECKS,
    /** Pull requests can be commented. */
    COMMENTS,
    /** New comments can be read, and answered by a reaction. */
    COMMANDS,
    /** Labels of pull requests can be read and set, and it is known who set one. */
    LABELS,
    /** People can have the host merge by itself when all is well, and it is known who did. */
    AUTO_MERGE,
    /** Such a merge waits for nothing of ours: it is taken back once a queue has taken it over. */
    DISARMING,
    /** It is known what a person may do. */
    PERMISSIONS,
    /** A test branch can have a pull request of its own, for CI that starts by nothing else. */
    TEST_PULL_REQUESTS,
    /** A pull request can be marked as merged where the host does not see it by itself. */
    MARKING_MERGED,
    /** A status that CI cancelled can be tried again. */
    RERUNS,
    /** CI can be told to stop testing a commit. */
    STOPPING,
    /** A run of CI can be looked up by its number. */
    RUN_NUMBERS,
    /** Our check can have buttons, of which hooks tell; elsewhere they are left out. */
    BUTTONS
  }

  public Abilities {
    all = Set.copyOf(all);
  }

  public static Abilities of(Ability first, Ability... more) {
    return new Abilities(EnumSet.of(first, more));
  }

  public boolean has(Ability ability) {
    return all.contains(ability);
  }
}
