package dev.mainstay.core.code;

/** A pull request of the repository at hand, by its number. */
public record PullRequestRef(int number) {
  public PullRequestRef {
    if (number < 1) {
      throw new IllegalArgumentException("Pull request numbers start at 1, not " + number);
    }
  }

  /** Reads what {@link #toString} writes. */
  public static PullRequestRef valueOf(String text) {
    return new PullRequestRef(Integer.parseInt(text.startsWith("#") ? text.substring(1) : text));
  }

  /** It is the key of most maps here, and what a record makes up by itself is not as quick. */
  @Override
  public int hashCode() {
    return number;
  }

  @Override
  public String toString() {
    return "#" + number;
  }
}
