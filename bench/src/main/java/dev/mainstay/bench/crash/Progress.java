package dev.mainstay.bench.crash;

import java.util.concurrent.TimeUnit;

/**
 * The calls that were answered, and the kills that are left. Nodes live for some answers rather
 * than for some time: so there is work to interrupt, however slow the machine is.
 */
final class Progress {
  private int killsLeft;
  private long answers;

  Progress(int kills) {
    this.killsLeft = kills;
  }

  synchronized void answered() {
    answers++;
    notifyAll();
  }

  synchronized int killsLeft() {
    return killsLeft;
  }

  /** Takes one of the kills; false when none is left. */
  synchronized boolean takeKill() {
    if (killsLeft == 0) {
      return false;
    }
    killsLeft--;
    notifyAll();
    return true;
  }

  synchronized void noMoreKills() {
    killsLeft = 0;
    notifyAll();
  }

  /** Waits for that many answers more, within reason, or until no kill is left. */
  synchronized void await(int more, long longestMillis) throws InterruptedException {
    long enough = answers + more;
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(longestMillis);
    for (long left = longestMillis;
        answers < enough && killsLeft > 0 && left > 0;
        left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
      wait(left);
    }
  }
}
