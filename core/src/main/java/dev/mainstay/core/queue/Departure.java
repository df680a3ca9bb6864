package dev.mainstay.core.queue;

/** An entry goes out of the queue: to an end, or to NOT_READY, from where it may come in again. */
public record Departure(PullRequestState to, Reason why) {
  public static Departure cancelled(ReasonCode code, String sentence) {
    return new Departure(PullRequestState.CANCELLED, new Reason(code, sentence));
  }

  public static Departure merged(ReasonCode code, String sentence) {
    return new Departure(PullRequestState.MERGED, new Reason(code, sentence));
  }

  public static Departure failed(ReasonCode code, String sentence) {
    return new Departure(PullRequestState.FAILED, new Reason(code, sentence));
  }

  public static Departure notReady(Reason why) {
    return new Departure(PullRequestState.NOT_READY, why);
  }
}
