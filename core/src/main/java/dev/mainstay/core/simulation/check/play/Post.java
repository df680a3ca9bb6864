package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.simulation.check.play.Luck.Roll;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** Brings what happened to the queue: late, twice, out of order, or hours after it was lost. */
public final class Post {
  private static final int REMEMBERED = 40;
  private final Agenda agenda;
  private final Luck luck;
  private final Consumer<QueueEvent> door;
  private final Deque<QueueEvent> lately = new ArrayDeque<>();
  private FaultRates faults;

  public Post(Agenda agenda, Luck luck, FaultRates faults, Consumer<QueueEvent> door) {
    this.agenda = agenda;
    this.luck = luck;
    this.faults = faults;
    this.door = door;
  }

  public void calmDown() {
    faults = FaultRates.NONE;
  }

  /** Says whether it will arrive in good time. */
  public boolean send(QueueEvent event, long about) {
    lately.addLast(event);
    if (lately.size() > REMEMBERED) {
      lately.removeFirst();
    }
    boolean lost = luck.happens(faults.lost(), Roll.LOSS, about);
    boolean late = luck.happens(faults.late(), Roll.LATENESS, about);
    deliver(event, lost ? minutes(60, 240, about) : late ? minutes(1, 40, about) : soon(about));
    if (luck.happens(faults.doubled(), Roll.DOUBLING, about)) {
      deliver(event, minutes(0, 90, about));
    }
    return !lost && !late;
  }

  /** A user's deed is done when it is answered: it is neither lost nor late. */
  public void hand(QueueEvent event) {
    door.accept(event);
  }

  void tellAgain(int count) {
    lately.stream().skip(Math.max(0, lately.size() - count)).toList().forEach(door);
  }

  private void deliver(QueueEvent event, Duration delay) {
    agenda.in(delay, () -> door.accept(event));
  }

  private Duration soon(long about) {
    return Duration.ofMillis(luck.between(50, 3000, Roll.LATENCY, about));
  }

  private Duration minutes(long least, long most, long about) {
    return Duration.ofSeconds(luck.between(least * 60, most * 60, Roll.LATENCY, about));
  }
}
