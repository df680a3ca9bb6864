package dev.mainstay.bench.crash;

import dev.mainstay.bench.BenchRepo;
import dev.mainstay.bench.crash.Repo.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A bare repository on disk, which nobody but git knows of. */
final class PlainGit implements Place {
  private final Repo repo;
  private int last;

  PlainGit(Path directory) throws IOException {
    this.repo = new Repo(directory.resolve("repo.git"));
  }

  @Override
  public Repo repo() {
    return repo;
  }

  @Override
  public Map<String, Object> connection() {
    return Map.of("address", repo.directory().toString());
  }

  @Override
  public Map<String, Object> settings() {
    return Map.of();
  }

  @Override
  public int open(Kind kind) throws IOException {
    last++;
    repo.open(BenchRepo.head(last), last, kind);
    return last;
  }

  @Override
  public Optional<String> leftAt(int number) {
    return Optional.empty();
  }

  @Override
  public boolean isOvertaken(int number) {
    return false;
  }

  /** Nodes look often enough. */
  @Override
  public void tell(Fleet fleet) {}

  @Override
  public Set<String> allowedBy(List<String> tested) throws IOException {
    var trees = new HashSet<String>();
    for (String commit : tested) {
      trees.add(repo.tree(commit));
    }
    return trees;
  }

  @Override
  public List<String> faults(Map<Integer, String> ends) {
    return List.of();
  }

  @Override
  public void close() {}
}
