package dev.mainstay.bench.attack;

import dev.mainstay.bench.BenchRepo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The directory of an attack, and the nodes that were started in it. */
final class Scene implements AutoCloseable {
  private final Path directory;
  private final boolean isShort;
  private final List<Victim> victims = new ArrayList<>();

  /** Short scenes try the same on fewer. */
  Scene(Path directory, boolean isShort) {
    this.directory = directory;
    this.isShort = isShort;
  }

  Path directory() {
    return directory;
  }

  /** One of two sizes, as the scene is short or not. */
  int size(int ifShort, int ifLong) {
    return isShort ? ifShort : ifLong;
  }

  Victim victim(String... options) throws IOException {
    return victim(Map.of(), options);
  }

  /** Starts a node, with additions to its environment. */
  Victim victim(Map<String, String> environment, String... options) throws IOException {
    return victim(directory.resolve("data"), environment, options);
  }

  /** Starts a node on a data directory at a place of the caller's. */
  Victim victim(Path data, Map<String, String> environment, String... options) throws IOException {
    var victim = new Victim(directory, data, environment, List.of(options));
    victims.add(victim);
    return victim;
  }

  BenchRepo repository(String name) throws IOException {
    return BenchRepo.create(directory.resolve(name + ".git"));
  }

  @Override
  public void close() {
    victims.forEach(Victim::close);
  }
}
