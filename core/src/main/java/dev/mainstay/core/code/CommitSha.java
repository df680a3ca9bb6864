package dev.mainstay.core.code;

/** The name of a commit. */
public record CommitSha(String value) {
  public CommitSha {
    if (value.isBlank()) {
      throw new IllegalArgumentException("A commit needs a name");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
