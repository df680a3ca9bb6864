package dev.mainstay.server.queue.run;

import dev.mainstay.server.platform.LastWords;
import dev.mainstay.server.queue.store.OpenQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A planned write: the outcome of a batch of proposals, if the queue is still as it was when they
 * were planned.
 */
final class PlannedWrite {
  private static final Logger log = LoggerFactory.getLogger("queue");

  /** A proposal, and the answer that its caller waits for. */
  record Waiting(Proposal proposal, CompletableFuture<Optional<Proposal.Accepted>> answer) {}

  private record Answer(
      Waiting to, Optional<Proposal.Accepted> accepted, Optional<RuntimeException> fault) {}

  private final OpenQueue base;
  private final UnitOfWork work;
  private final List<Answer> answers = new ArrayList<>();
  private Optional<Error> broken = Optional.empty();

  PlannedWrite(OpenQueue base, Instant now) {
    this.base = base;
    this.work = new UnitOfWork(base, now);
  }

  static PlannedWrite of(OpenQueue base, Instant now, List<Waiting> batch) {
    var plan = new PlannedWrite(base, now);
    batch.forEach(plan::add);
    return plan;
  }

  /**
   * Adds a proposal. One whose events break the engine is not recorded, and the others do not
   * suffer from it.
   */
  void add(Waiting waiting) {
    try {
      var accepted = work.accept(waiting.proposal());
      answers.add(new Answer(waiting, Optional.of(accepted), Optional.empty()));
    } catch (IllegalArgumentException e) {
      answers.add(new Answer(waiting, Optional.empty(), Optional.of(e)));
    } catch (RuntimeException e) {
      log.error("queue {} cannot take an event: its rules are broken", base.id(), e);
      answers.add(new Answer(waiting, Optional.empty(), Optional.of(e)));
    } catch (Error e) {
      LastWords.ifFatal(e);
      // There was no room, or a bug: the unit of work is not to be trusted.
      broken = Optional.of(e);
    }
  }

  /** The queue that the write was planned from. */
  OpenQueue base() {
    return base;
  }

  /** The queue that the write leads to. */
  OpenQueue after() {
    return work.queue();
  }

  /** Writes all of it; nothing, and false, where the queue is not what it was planned from. */
  boolean write(Handle handle) {
    if (broken.isPresent()) {
      throw broken.get();
    }
    if (!work.save(handle)) {
      return false;
    }
    answers.stream()
        .filter(a -> a.fault().isEmpty())
        .forEach(a -> a.to().proposal().also().accept(handle));
    return true;
  }

  boolean asksForWork() {
    return work.asksForWork();
  }

  /** Answers the callers, when all of it is committed. */
  void tell() {
    answers.forEach(this::tell);
  }

  private void tell(Answer answer) {
    if (answer.fault().isPresent()) {
      answer.to().answer().completeExceptionally(answer.fault().get());
      return;
    }
    try {
      answer.to().proposal().then().run();
    } catch (RuntimeException e) {
      log.error("queue {} has changed, and whoever was to hear of it failed", base.id(), e);
    } finally {
      answer.to().answer().complete(answer.accepted().map(a -> a.committedWith(after())));
    }
  }
}
