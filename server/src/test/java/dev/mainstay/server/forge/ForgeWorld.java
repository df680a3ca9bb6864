package dev.mainstay.server.forge;

import dev.mainstay.core.code.CommitSha;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A repository at a forge, seen from the other side: by its authors and its administrator. */
public interface ForgeWorld extends AutoCloseable {
  /** A node that just connected the repository and knows nothing yet. */
  Forge node();

  /** Makes a commit; nobody sees it before it is pushed. */
  CommitSha commit(Edit edit);

  /** Makes a commit on one that is already at the forge, such as one that landed. */
  CommitSha commitOn(CommitSha landed, Edit edit);

  /** Moves a branch there, by force. */
  void push(String branch, CommitSha commit);

  void deleteBranch(String branch);

  /** Opens the pull request, or moves its head. */
  void open(int pullRequest, CommitSha head);

  /** Sets what people wrote: the title, then the text. */
  void describe(int pullRequest, String text);

  void close(int pullRequest);

  /** The name by which the forge calls the author of a pull request whose commits are by this. */
  default String author(String name) {
    return name;
  }

  /** The sign that the forge writes before the number of a pull request. */
  default String sign() {
    return "#";
  }

  Optional<CommitSha> branch(String name);

  List<String> branches();

  /** The commits of {@code head} that are not in {@code without}, newest first. */
  List<CommitSha> log(CommitSha head, CommitSha without);

  /** The commit as git prints it by a format, in UTF-8. */
  String show(CommitSha commit, String format);

  /** Paths with mode and object, as git lists them; a path in another encoding is quoted. */
  Map<String, String> tree(CommitSha commit);

  /** From now on every push to a branch that is not a test branch is refused with these words. */
  void refuse(String words);

  /** The repository is gone. */
  void vanish();

  @Override
  void close();
}
