package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Networks;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitAddress;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A bare repository on disk, with the clone of an author who pushes to it. */
public final class GitWorld extends WorldOnDisk {
  private final Path root;
  private final BareRepository repository;
  private final Function<Path, FarSide> address;

  public GitWorld(Path root, Function<Path, FarSide> address) {
    super(root.resolve("author.git"));
    this.root = root;
    this.repository = new BareRepository(root.resolve("app.git"));
    this.address = address;
    AuthorClone.init(repository.path());
  }

  /** The author's own repository, which nobody else sees. */
  public Path author() {
    return pusher().path();
  }

  public Path repository() {
    return repository.path();
  }

  /** Does something in the repository itself, as its administrator. */
  void repository(String... arguments) {
    repository.run(arguments);
  }

  FarSide address() {
    return address.apply(repository.path());
  }

  /** An address as a user gives it, with the credentials in it; hooks of the repository run. */
  public static FarSide at(String address) {
    GitAddress.Given given = GitAddress.parse(address);
    return new FarSide(
        given.address(), given::credentials, new Reach(List.of(), Networks.usual(), true));
  }

  Path caches(int node) {
    return root.resolve("node" + node);
  }

  @Override
  public GitForge node() {
    return node(GitLimits.USUAL, Map.of());
  }

  GitForge node(GitLimits limits, Map<String, String> environment) {
    return added(GitForge.open(address(), caches(nodes()), limits, environment));
  }

  @Override
  protected BareRepository disk() {
    return repository;
  }

  @Override
  protected String pushAddress() {
    return repository.path().toString();
  }

  @Override
  public void open(int pullRequest, CommitSha head) {
    pusher().push(pushAddress(), "+" + head + ":refs/pull/" + pullRequest + "/head");
  }

  @Override
  public void describe(int pullRequest, String text) {
    CommitSha meta = commit(Edit.on().says(text));
    pusher().push(pushAddress(), "+" + meta + ":refs/pull/" + pullRequest + "/meta");
  }

  @Override
  public void close(int pullRequest) {
    repository.run("update-ref", "-d", "refs/pull/" + pullRequest + "/head");
    repository.run("update-ref", "-d", "refs/pull/" + pullRequest + "/meta");
  }

  @Override
  public void refuse(String words) {
    repository.refuse("update", words);
  }

  /** A script that the repository runs when it is pushed to. */
  void hook(String name, String script) {
    repository.hook(name, script);
  }

  @Override
  public void vanish() {
    try {
      CacheDirectory.deleteRecursively(repository.path());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  public static String run(Path directory, byte[] input, String... arguments) {
    return AuthorClone.run(directory, input, arguments);
  }
}
