package dev.mainstay.server.forge.github;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The troubles that the fake makes on demand, each for the next requests of one kind. */
public final class FakeFaults {
  public sealed interface Fault {
    /** Answers with this status and these headers, and does nothing. */
    record Instead(int status, Map<String, String> headers) implements Fault {}

    /** Does what was asked, and says that it failed. */
    record AfterWork(int status) implements Fault {}

    /** Does what was asked, and breaks off in the middle of the answer. */
    record CutOff() implements Fault {}

    /** Does what was asked, and answers with this text in place of JSON. */
    record Garbage(String text) implements Fault {}
  }

  /** Headers of every answer from now on, such as those that tell limits. */
  public final Map<String, String> headers = new ConcurrentHashMap<>();

  private record Planned(String kind, int at, Fault fault) {}

  private final List<Planned> planned = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private int untilFault;
  private Optional<Fault> ofAny = Optional.empty();
  private Optional<String> struck = Optional.empty();

  /** The next request of this kind, such as {@code GET pulls/N}, has this fault. */
  public synchronized void next(String kind, Fault fault) {
    after(kind, 0, fault);
  }

  /** So many requests of this kind go well, and the one after them has this fault. */
  public synchronized void after(String kind, int more, Fault fault) {
    planned.add(new Planned(kind, count(kind) + more + 1, fault));
  }

  public synchronized void next(String kind, int status) {
    next(kind, new Fault.Instead(status, Map.of()));
  }

  /** So many requests of any kind go well, and the one after them has this fault. */
  public synchronized void afterAny(int more, Fault fault) {
    untilFault = more;
    ofAny = Optional.of(fault);
  }

  /** The kind of the request that had the fault of any, once it had it. */
  public synchronized Optional<String> struck() {
    return ofAny.isPresent() ? Optional.empty() : struck;
  }

  /** Counts a request, and takes the fault that is planned for it. */
  public synchronized Optional<Fault> take(String kind) {
    counts.merge(kind, 1, Integer::sum);
    if (ofAny.filter(fault -> isFor(fault, kind)).isPresent() && untilFault-- == 0) {
      Optional<Fault> fault = ofAny;
      ofAny = Optional.empty();
      struck = Optional.of(kind);
      return fault;
    }
    for (Planned plan : planned) {
      if (plan.kind().equals(kind) && plan.at() == count(kind)) {
        planned.remove(plan);
        return Optional.of(plan.fault());
      }
    }
    return Optional.empty();
  }

  /** After its work only a change fails in another way than before it; git is not asked here. */
  private static boolean isFor(Fault fault, String kind) {
    boolean changes = !kind.startsWith("GET ") && !kind.startsWith("git ");
    return !kind.equals("unchanged") && (changes || !(fault instanceof Fault.AfterWork));
  }

  public synchronized int count(String kind) {
    return counts.getOrDefault(kind, 0);
  }

  /** The requests of each kind so far. */
  public synchronized Map<String, Integer> counts() {
    return new TreeMap<>(counts);
  }
}
