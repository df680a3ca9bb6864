package dev.mainstay.server.queue.talk;

import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.queue.store.AskedStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.SignStore;
import dev.mainstay.server.queue.work.CheckButtons;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What somebody asked by, as it is kept: each is known by one name, and acts once. */
final class Source {
  private static final String COMMENT = "comment ";
  private static final String SIGN = "sign ";
  private static final String SET = "set ";
  private static final String TAKEN = "taken ";

  private Source() {}

  static String comment(String id) {
    return COMMENT + id;
  }

  /** A sign that somebody set or took; no two are the same. */
  static AskedStore.Asked sign(SignStore.Sign sign, boolean set, String who) {
    return new AskedStore.Asked(
        SIGN + UUID.randomUUID(), sign.pr(), who, (set ? SET : TAKEN) + sign.name());
  }

  /** The label that is a command by itself, and is taken off once it was heard. */
  static Optional<String> spentLabel(AskedStore.Asked asked) {
    return Optional.of(asked.said())
        .filter(said -> asked.source().startsWith(SIGN) && said.startsWith(SET))
        .map(said -> said.substring(SET.length()))
        .filter(label -> label.equals(Signs.MERGE) || label.equals(Signs.CANCEL));
  }

  /** Somebody told the host to merge by itself. */
  static boolean isArming(AskedStore.Asked asked) {
    return isSign(asked) && asked.said().equals(SET + Signs.AUTO_MERGE);
  }

  static boolean isSign(AskedStore.Asked asked) {
    return asked.source().startsWith(SIGN);
  }

  /** Whether this queue wants to hear of it. */
  static boolean isWanted(AskedStore.Asked asked, QueueSettings settings) {
    if (!asked.source().startsWith(SIGN)) {
      return settings.commandsEnabled();
    }
    String name = asked.said().replaceFirst("^(" + SET + "|" + TAKEN + ")", "");
    return switch (name) {
      case Signs.AUTO_MERGE -> settings.commandsEnabled();
      case Signs.MERGE, Signs.CANCEL -> settings.labelCommandsEnabled();
      default -> settings.enqueueingLabel().equals(Optional.of(name));
    };
  }

  private static List<Command> signed(AskedStore.Asked asked, OpenQueue queue) {
    boolean set = asked.said().startsWith(SET);
    String name = asked.said().substring((set ? SET : TAKEN).length());
    var merge = new Command.Merge(Optional.empty(), Optional.empty());
    boolean isIn = queue.state().entry(asked.pr()).isPresent();
    if (set) {
      return List.of(name.equals(Signs.CANCEL) ? new Command.Cancel() : merge);
    }
    boolean spent = name.equals(Signs.MERGE) || name.equals(Signs.CANCEL);
    return spent || !isIn ? List.of() : List.of(new Command.Cancel());
  }

  /** The commands that somebody gave to this queue. */
  static List<Command> commands(AskedStore.Asked asked, OpenQueue queue) {
    if (commentOf(asked.source()).isPresent()) {
      return Command.of(asked.said().lines().toList(), queue.state().settings().prefixes());
    }
    if (asked.source().startsWith(SIGN)) {
      return signed(asked, queue);
    }
    return switch (asked.said()) {
      case CheckButtons.CANCEL -> List.of(new Command.Cancel());
      case CheckButtons.RETRY -> List.of(retry(asked, queue));
      default -> List.of();
    };
  }

  /** One that is out, or was not let in, is submitted again. */
  private static Command retry(AskedStore.Asked asked, OpenQueue queue) {
    return queue
            .state()
            .entry(asked.pr())
            .filter(e -> !e.is(PullRequestState.NOT_READY))
            .isPresent()
        ? new Command.Restart()
        : new Command.Merge(Optional.empty(), Optional.empty());
  }

  /** The comment that a source is. */
  static Optional<String> commentOf(String source) {
    return source.startsWith(COMMENT)
        ? Optional.of(source.substring(COMMENT.length()))
        : Optional.empty();
  }
}
