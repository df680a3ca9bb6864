package dev.mainstay.server.queue.work;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ButtonPress;
import dev.mainstay.server.queue.store.AskedStore;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The buttons beside our check, by names that say which pull request they are of. */
public final class CheckButtons {
  public static final String CANCEL = "cancel";
  public static final String RETRY = "retry";

  private static final Pattern ID = Pattern.compile("(cancel|retry)-([1-9]\\d{0,8})");

  private CheckButtons() {}

  /** At most 20 characters, as hosts want it. */
  public static String id(String button, int pullRequest) {
    return button + "-" + pullRequest;
  }

  /** What was asked for by a press; empty where the button is none of ours. */
  static Optional<AskedStore.Asked> asked(ButtonPress press) {
    Matcher id = ID.matcher(press.button());
    return id.matches()
        ? Optional.of(
            new AskedStore.Asked(
                "button " + press.id(),
                new PullRequestRef(Integer.parseInt(id.group(2))),
                press.who(),
                id.group(1)))
        : Optional.empty();
  }
}
