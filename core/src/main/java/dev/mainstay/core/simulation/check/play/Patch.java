package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Change;

/**
 * A patch: one version of a pull request, as part of a tree. Changes that others push past the
 * queue have numbers below zero.
 */
public record Patch(int number, int version) {
  private static final String PREFIX = "pr";

  public static Patch of(Change change) {
    String head = change.head().value();
    int v = head.indexOf('v');
    return new Patch(
        Integer.parseInt(head.substring(PREFIX.length(), v)),
        Integer.parseInt(head.substring(v + 1)));
  }

  public CommitSha head() {
    return new CommitSha(PREFIX + number + "v" + version);
  }

  boolean isForeign() {
    return number < 0;
  }

  public long hash() {
    return Luck.mix(number, version);
  }

  @Override
  public String toString() {
    return isForeign() ? "push " + -number : "#" + number + (version == 1 ? "" : "." + version);
  }
}
