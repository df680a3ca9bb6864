package dev.mainstay.server.web.page;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What was just done, said at the top of the page that an action leads back to. */
public enum Notice {
  SUBMITTED("The pull request was submitted."),
  CANCELLED("The pull request was taken out of the queue."),
  RESTARTED("Its tests are run again."),
  PRIORITY("The priority was changed."),
  PAUSED("The queue is paused: nothing new is tested or merged."),
  RESUMED("The queue is running."),
  DRAINING("The queue is draining: what is in it goes on, nothing new is let in."),
  CREATED("The queue was made."),
  DELETED("The queue was deleted."),
  SAVED("Saved."),
  QUARANTINED("The quarantine was changed."),
  LINKED("The ticket was linked."),
  TICKET("The ticket was changed."),
  MUTED("The monitor was muted for this test."),
  UNMUTED("The monitor counts for this test again."),
  REVOKED("The key was revoked."),
  SIGNED_OUT("Their sessions were ended."),
  CHECKED("The connection was checked."),
  CONNECTED("The repository was connected."),
  DISCONNECTED("The repository was disconnected."),
  WEBHOOK_PAUSED(
      "The endpoint is paused: what happens now is not sent, and can be replayed later."),
  WEBHOOK_RESUMED("The endpoint is on."),
  WEBHOOK_DELETED("The endpoint was deleted."),
  REPLAYED("The event is delivered once more.");

  private final String sentence;

  Notice(String sentence) {
    this.sentence = sentence;
  }

  /** The name in an address. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<String> sentence(String word) {
    return Arrays.stream(values())
        .filter(n -> n.word().equals(word))
        .map(n -> n.sentence)
        .findFirst();
  }
}
