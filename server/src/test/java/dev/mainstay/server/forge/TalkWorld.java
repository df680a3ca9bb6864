package dev.mainstay.server.forge;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.Host.Reaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A repository at a forge whose people talk about its pull requests, and read what we say. */
public interface TalkWorld extends AutoCloseable {
  ForgeWorld forge();

  /** The fields by which it is connected, in JSON with single quotes. */
  String connection();

  /** Fields of its queue beyond the branch, such as what must pass. */
  default String queue() {
    return "";
  }

  /** It is connected: what the forge calls by itself is set up. */
  default void connected(TestNode node, String hookSecret) {}

  /** The forge calls; one that does so by itself need not be told to. */
  default void hook() {}

  void may(String who, Permission permission);

  /** A name by which a bot comments that may write, where the forge knows bots. */
  default Optional<String> bot() {
    return Optional.empty();
  }

  /** Whether somebody who may not write can set labels. */
  default boolean readersLabel() {
    return true;
  }

  /** Answers the number of the comment. */
  long say(String who, int pr, String text);

  void edit(String who, long comment, String text);

  void delete(String who, long comment);

  List<Reaction> answers(long comment);

  /** Our comments. */
  List<String> ours(int pr);

  void label(String who, int pr, String label);

  void unlabel(String who, int pr, String label);

  Set<String> labels(int pr);

  /** Has the forge merge by itself once it is content. */
  void arm(String who, int pr);

  void disarm(String who, int pr);

  /** The test of a commit ends. */
  void report(CommitSha tested, boolean good);

  @Override
  void close();
}
