package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The table {@code promised_word}: up to which entry somebody has promised to tell its end. */
public final class PromiseStore {
  /** What ended before that is no news, for instance where talking was just switched on. */
  private static final Duration NEWS = Duration.ofMinutes(10);

  private PromiseStore() {}

  /** Who talks: about the same pull request there are words of several. */
  public enum Talker {
    CHECKS,
    CONVERSATIONS
  }

  private record Entered(long entry, PullRequestRef pr) {}

  /** Who entered since this was asked last, also those that have left again. */
  public static List<PullRequestRef> newcomers(
      Handle handle, long queueId, Talker talker, Instant now) {
    handle.execute(
        "INSERT INTO promised_word (queue_id, talker) VALUES (?, ?) ON CONFLICT DO NOTHING",
        queueId,
        talker.name());
    long before =
        handle
            .select(
                "SELECT entry FROM promised_word WHERE queue_id = ? AND talker = ? FOR UPDATE",
                queueId,
                talker.name())
            .mapTo(Long.class)
            .one();
    List<Entered> since =
        handle
            .select(
                """
                SELECT entry, number FROM pull_request
                WHERE queue_id = ? AND entry > ? AND (open OR ended_at > ?) ORDER BY entry
                """,
                queueId,
                before,
                now.minus(NEWS))
            .map((row, context) -> new Entered(row.getLong(1), new PullRequestRef(row.getInt(2))))
            .list();
    if (!since.isEmpty()) {
      handle.execute(
          "UPDATE promised_word SET entry = ? WHERE queue_id = ? AND talker = ?",
          since.getLast().entry(),
          queueId,
          talker.name());
    }
    return since.stream().map(Entered::pr).toList();
  }
}
