package dev.mainstay.core.queue.rules;

import dev.mainstay.core.chance.Learned.Driver;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.QueueState;
import java.util.List;

/** How likely a pull request is to pass by itself, and the traits that this hangs on. */
public record Outlook(double passes, List<Driver> drivers) {
  private static final double WORTH_TELLING = 0.005;
  private static final int MOST_TOLD = 3;

  public Outlook {
    drivers = List.copyOf(drivers);
  }

  /** The outlook of pull requests of one queue. */
  public static final class Of {
    private final QueueState state;
    private final Traits traits;

    public Of(QueueState state) {
      this.state = state;
      traits = new Traits(state.settings(), state.connection(), state.learned());
    }

    double passes(Entry entry) {
      return 1 - state.learned().fails(traits.of(entry));
    }

    public Outlook entry(Entry entry) {
      var known = traits.of(entry);
      List<Driver> drivers = state.learned().drivers(known, WORTH_TELLING);
      return new Outlook(
          1 - state.learned().fails(known), drivers.stream().limit(MOST_TOLD).toList());
    }
  }
}
