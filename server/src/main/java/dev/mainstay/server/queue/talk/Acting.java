package dev.mainstay.server.queue.talk;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.History;
import dev.mainstay.server.queue.Outcomes;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.PullRequests;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.AskedStore;
import dev.mainstay.server.queue.store.CommentStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.SignStore;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Does what people asked for, and answers. A command is done in one transaction with the mark that
 * it is done, so that no crash and no other node does it twice; how it went is kept until it was
 * told. Whoever asked must have the right to write when it is done, not only when it was asked.
 */
final class Acting {
  private static final int MOST_AT_ONCE = 50;

  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;
  private final PullRequests pullRequests;
  private final History history;

  Acting(
      Database database,
      Clock clock,
      QueueRunner runner,
      PullRequests pullRequests,
      History history) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
    this.pullRequests = pullRequests;
    this.history = history;
  }

  /** Another node was faster: this one lost its lease. */
  private static final class DoneElsewhere extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** True where more waits than is done at once. */
  boolean act(Place place) {
    List<AskedStore.Row> open =
        database.query(handle -> AskedStore.open(handle, place.repositoryId(), MOST_AT_ONCE));
    for (AskedStore.Row row : open) {
      if (row.good().isEmpty()) {
        try {
          act(place, row);
        } catch (DoneElsewhere e) {
          // That node answers, too.
        }
      }
    }
    return open.size() == MOST_AT_ONCE;
  }

  private void act(Place place, AskedStore.Row row) {
    AskedStore.Asked asked = row.asked();
    Optional<Host.Cover> cover = place.host().cover(asked.pr());
    Optional<OpenQueue> queue = cover.flatMap(c -> place.queueOf(c.baseBranch()));
    boolean deaf =
        queue
            .map(q -> !Source.isWanted(asked, q.state().settings()))
            .orElseGet(() -> Source.isSign(asked));
    if (cover.isEmpty() || deaf) {
      ignore(place, asked);
      return;
    }
    List<Command> commands = queue.map(q -> Source.commands(asked, q)).orElse(List.of());
    if (queue.isPresent() && commands.isEmpty()) {
      ignore(place, asked);
      return;
    }
    if (place.host().permission(asked.who()).compareTo(Host.Permission.WRITE) < 0) {
      over(place, asked, Optional.of(Words.noRight(asked.who())));
      return;
    }
    if (queue.isEmpty()) {
      over(place, asked, Optional.of(Words.noQueue(cover.get().baseBranch())));
      return;
    }
    List<String> prefixes = queue.get().state().settings().prefixes();
    var doing = new Doing(place, row, queue.get(), cover.get(), prefixes);
    Optional<String> wrong = wrong(commands).or(() -> doing.all(commands));
    over(place, asked, wrong, told(place, asked, commands, prefixes));
  }

  /** What is said where all is well; mostly nothing. */
  private static String told(
      Place place, AskedStore.Asked asked, List<Command> commands, List<String> prefixes) {
    if (isTakenOver(place, asked)) {
      return Words.takenOver(asked.who(), prefixes);
    }
    return commands.contains(new Command.Help()) ? Words.help(prefixes) : "";
  }

  /** A merge by the host that would go past the queue. */
  private static boolean isTakenOver(Place place, AskedStore.Asked asked) {
    return place.has(Ability.DISARMING) && Source.isArming(asked);
  }

  private static Optional<String> wrong(List<Command> commands) {
    if (commands.size() > Command.MOST) {
      return Optional.of(Words.tooMany());
    }
    return commands.stream()
        .flatMap(c -> c instanceof Command.Wrong(String why) ? Stream.of(why) : Stream.empty())
        .findFirst();
  }

  private void ignore(Place place, AskedStore.Asked asked) {
    database.useTransaction(
        handle ->
            AskedStore.answered(handle, place.repositoryId(), asked.source(), clock.instant()));
  }

  private void over(Place place, AskedStore.Asked asked, Optional<String> wrong) {
    over(place, asked, wrong, "");
  }

  private void over(Place place, AskedStore.Asked asked, Optional<String> wrong, String told) {
    String answer = wrong.orElse(told);
    database.useTransaction(
        handle ->
            AskedStore.over(handle, place.repositoryId(), asked.source(), wrong.isEmpty(), answer));
  }

  /** Tells people what became of what they asked for. */
  void answer(Place place) {
    database
        .query(handle -> AskedStore.open(handle, place.repositoryId(), MOST_AT_ONCE))
        .forEach(row -> row.good().ifPresent(good -> answer(place, row, good)));
  }

  private void answer(Place place, AskedStore.Row row, boolean good) {
    AskedStore.Asked asked = row.asked();
    Source.commentOf(asked.source())
        .ifPresent(
            comment -> Unheard.unless(place, asked.pr(), () -> react(place, asked, comment, good)));
    Optional<String> spent =
        Source.spentLabel(asked)
            .filter(
                label ->
                    Unheard.unless(
                        place,
                        asked.pr(),
                        () -> place.host().label(asked.pr(), Set.of(), Set.of(label))))
            .or(() -> good ? disarmed(place, asked) : Optional.empty());
    database.useTransaction(
        handle -> {
          AskedStore.answered(handle, place.repositoryId(), asked.source(), clock.instant());
          // Whoever sets it again before the next look wants it again.
          spent.ifPresent(
              sign ->
                  SignStore.delete(
                      handle, place.repositoryId(), new SignStore.Sign(asked.pr(), sign)));
          CommentStore.answer(
              handle, place.repositoryId(), asked.pr(), row.answer(), clock.instant());
        });
  }

  /** The sign that is gone by that; one that somebody else took back is a wish of theirs. */
  private static Optional<String> disarmed(Place place, AskedStore.Asked asked) {
    var gone = new AtomicBoolean();
    if (isTakenOver(place, asked)) {
      Unheard.unless(place, asked.pr(), () -> gone.set(place.host().disarm(asked.pr())));
    }
    return gone.get() ? Optional.of(Signs.AUTO_MERGE) : Optional.empty();
  }

  private static void react(Place place, AskedStore.Asked asked, String comment, boolean good) {
    Host.Reaction reaction = good ? Host.Reaction.DONE : Host.Reaction.REFUSED;
    place.host().react(asked.pr(), comment, reaction);
  }

  /** The commands of one comment, in their order, of which some may be done already. */
  private final class Doing {
    private final Place place;
    private final AskedStore.Row row;
    private final OpenQueue queue;
    private final Host.Cover cover;
    private final List<String> prefixes;
    private final PullRequestRef pr;

    Doing(
        Place place, AskedStore.Row row, OpenQueue queue, Host.Cover cover, List<String> prefixes) {
      this.place = place;
      this.row = row;
      this.queue = queue;
      this.cover = cover;
      this.prefixes = prefixes;
      this.pr = row.asked().pr();
    }

    /** Does those that are not done yet; what is wrong ends that, with the line that says so. */
    Optional<String> all(List<Command> commands) {
      Optional<QueueName> name =
          database.query(h -> QueueStore.named(h, queue.id())).map(QueueStore.Named::name);
      for (int i = row.done(); i < commands.size() && name.isPresent(); i++) {
        int before = i;
        Optional<String> wrong = one(commands.get(i), name.get(), handle -> mark(handle, before));
        if (wrong.isPresent()) {
          return wrong;
        }
      }
      return name.isPresent() ? Optional.empty() : Optional.of(Words.noQueue(cover.baseBranch()));
    }

    private void mark(Handle handle, int before) {
      if (!AskedStore.done(handle, place.repositoryId(), row.asked().source(), before)) {
        throw new DoneElsewhere();
      }
    }

    private Optional<String> one(Command command, QueueName name, Consumer<Handle> mark) {
      return switch (command) {
        case Command.Merge merge -> merge(merge, name, mark);
        case Command.Cancel() -> cancel(name, mark);
        case Command.Restart() -> restart(name, mark);
        case Command.Help() -> {
          database.useTransaction(mark);
          yield Optional.empty();
        }
        case Command.Wrong(String why) -> Optional.of(why);
      };
    }

    private Optional<String> merge(Command.Merge merge, QueueName name, Consumer<Handle> mark) {
      if (!cover.open()) {
        return Optional.of(Words.notOpen());
      }
      var wanted = new PullRequests.Wanted(pr, merge.priority(), merge.noBatch());
      return switch (pullRequests.submit(name, wanted, mark)) {
        case Outcomes.Submitted(_) -> Optional.empty();
        case Outcomes.NoSuchQueue() -> Optional.of(Words.noQueue(name.branch()));
        case Outcomes.NoSuchPullRequest() -> Optional.of(Words.notOpen());
      };
    }

    private Optional<String> cancel(QueueName name, Consumer<Handle> mark) {
      OpenQueue now = runner.find(name).orElse(queue);
      if (now.state().entry(pr).isEmpty()) {
        return Optional.of(notIn(now));
      }
      return switch (pullRequests.cancel(name, pr, mark)) {
        case Outcomes.Cancelled(_) -> Optional.empty();
        case Outcomes.NoSuchQueue() -> Optional.of(Words.noQueue(name.branch()));
        case Outcomes.NeverSubmitted() -> Optional.of(notIn(now));
        case Outcomes.AlreadyEnded(PullRequestView ended) -> Optional.of(Words.overAlready(ended));
      };
    }

    private Optional<String> restart(QueueName name, Consumer<Handle> mark) {
      OpenQueue now = runner.find(name).orElse(queue);
      if (now.state().entry(pr).filter(e -> !e.is(PullRequestState.NOT_READY)).isEmpty()) {
        return Optional.of(
            history.newest(now, pr).map(Words::notTested).orElseGet(() -> notIn(now)));
      }
      return switch (pullRequests.restart(name, pr, mark)) {
        case Outcomes.Restarted(_) -> Optional.empty();
        case Outcomes.NoSuchQueue() -> Optional.of(Words.noQueue(name.branch()));
        case Outcomes.NeverSubmitted() -> Optional.of(notIn(now));
        case Outcomes.NotTested(PullRequestView found) -> Optional.of(Words.notTested(found));
        case Outcomes.BeingMerged(_) -> Optional.of(Words.beingMerged());
      };
    }

    private String notIn(OpenQueue now) {
      return history
          .newest(now, pr)
          .filter(view -> !view.open())
          .map(Words::overAlready)
          .orElseGet(() -> Words.notThere(prefixes.getFirst()));
    }
  }
}
