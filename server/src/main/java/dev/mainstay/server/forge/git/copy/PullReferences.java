package dev.mainstay.server.forge.git.copy;

import java.util.List;

/** The references at which a far side shows the heads of pull requests, as its kind names them. */
public enum PullReferences {
  PULLS("refs/pull/"),
  MERGE_REQUESTS("refs/merge-requests/");

  private final String prefix;

  PullReferences(String prefix) {
    this.prefix = prefix;
  }

  public String head(int number) {
    return prefix + number + "/head";
  }

  /** Patterns, since an exact name that is not there would fail the whole question. */
  public List<String> of(int number) {
    return List.of(prefix + number + "/hea*", prefix + number + "/met*");
  }
}
