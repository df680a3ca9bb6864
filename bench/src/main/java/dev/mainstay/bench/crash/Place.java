package dev.mainstay.bench.crash;

import dev.mainstay.bench.crash.Repo.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where the repository of a crash run is. It outlives whoever is killed. */
interface Place extends AutoCloseable {
  Repo repo();

  /** The fields by which a node connects it. */
  Map<String, Object> connection();

  /** The settings of its queue, beside those of every place. */
  Map<String, Object> settings();

  /** Opens a pull request; gives its number. */
  int open(Kind kind) throws IOException;

  /**
   * The commit that the author of a pull request left its head at, where such a place moves heads.
   */
  Optional<String> leftAt(int number);

  /** Whether somebody pushed to main what is in conflict with it, before it could land. */
  boolean isOvertaken(int number);

  /** Tells somebody that something may have moved, where such a place does. */
  void tell(Fleet fleet) throws InterruptedException;

  /** The trees that main may have had, where these commits passed their tests. */
  Set<String> allowedBy(List<String> tested) throws IOException;

  /** What is not as it should be, when pull requests have ended so. */
  List<String> faults(Map<Integer, String> ends) throws IOException;

  @Override
  void close();
}
