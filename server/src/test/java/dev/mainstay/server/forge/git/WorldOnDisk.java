package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeWorld;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A world whose repository is on this machine, so that a test sees it as it is, and its
 * administrator does with it what no forge is asked for.
 */
public abstract class WorldOnDisk implements ForgeWorld {
  private final AuthorClone author;
  private final List<Forge> nodes = new ArrayList<>();

  protected WorldOnDisk(Path authorClone) {
    this.author = AuthorClone.make(authorClone);
  }

  protected abstract BareRepository disk();

  /** The address by which the author pushes to the repository. */
  protected abstract String pushAddress();

  protected final AuthorClone pusher() {
    return author;
  }

  /** How many nodes there are. */
  protected final int nodes() {
    return nodes.size();
  }

  protected final <F extends Forge> F added(F node) {
    nodes.add(node);
    return node;
  }

  @Override
  public CommitSha commit(Edit edit) {
    return author.commit(edit);
  }

  @Override
  public CommitSha commitOn(CommitSha landed, Edit edit) {
    return author.commitOn(disk().path().toString(), landed, edit);
  }

  @Override
  public void push(String branch, CommitSha commit) {
    author.push(pushAddress(), "+" + commit + ":refs/heads/" + branch);
  }

  @Override
  public void deleteBranch(String branch) {
    disk().run("update-ref", "-d", "refs/heads/" + branch);
  }

  @Override
  public Optional<CommitSha> branch(String name) {
    return disk().branch(name);
  }

  @Override
  public List<String> branches() {
    return disk().branches();
  }

  @Override
  public List<CommitSha> log(CommitSha head, CommitSha without) {
    return disk().log(head, without);
  }

  @Override
  public String show(CommitSha commit, String format) {
    return disk().show(commit, format);
  }

  @Override
  public Map<String, String> tree(CommitSha commit) {
    return disk().tree(commit);
  }

  @Override
  public void close() {
    nodes.forEach(Forge::close);
  }
}
