package dev.mainstay.server.forge.git.copy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;

/**
 * The newest commit that two commits share, found as git finds it, from commits that are read once
 * and remembered: that costs no process. Where the two are far apart or share several, git is to be
 * asked.
 */
public final class MergeBase {
  private static final int MOST_REMEMBERED = 20_000;
  private static final int MOST_READ = 200;
  private static final int MOST_VISITED = 2_000;

  private static final int OF_ONE = 1;
  private static final int OF_OTHER = 2;
  private static final int OF_BOTH = OF_ONE | OF_OTHER;

  /** Below a commit that was found: shared, but not the newest. */
  private static final int STALE = 4;

  private record Node(List<String> parents, long time) {}

  private record Visit(String sha, long time, int turn) {}

  /** An answer: the commit, that there is none, or that git is to be asked. */
  public sealed interface Answer {
    record Shared(String sha) implements Answer {}

    record Nothing() implements Answer {}

    record AskGit() implements Answer {}
  }

  private final Function<String, Optional<Commit>> commits;
  private final Map<String, Node> nodes = new LinkedHashMap<>();

  public MergeBase(Function<String, Optional<Commit>> commits) {
    this.commits = commits;
  }

  public Answer find(String one, String other) {
    return one.equals(other) ? new Answer.Shared(one) : new Walk().between(one, other);
  }

  /** A walk from both commits down to those they share, the newest first. */
  private final class Walk {
    private final Map<String, Integer> marks = new HashMap<>();
    private final List<String> shared = new ArrayList<>();
    private final PriorityQueue<Visit> queue =
        new PriorityQueue<>(
            Comparator.comparingLong(Visit::time).reversed().thenComparingInt(Visit::turn));
    private int reads;
    private int visits;

    Answer between(String one, String other) {
      if (!mark(one, OF_ONE) || !mark(other, OF_OTHER)) {
        return new Answer.AskGit();
      }
      while (queue.stream().anyMatch(v -> (marks(v.sha()) & STALE) == 0)) {
        if (!visit(queue.remove().sha())) {
          return new Answer.AskGit();
        }
      }
      List<String> newest = shared.stream().filter(sha -> (marks(sha) & STALE) == 0).toList();
      return switch (newest.size()) {
        case 0 -> new Answer.Nothing();
        case 1 -> new Answer.Shared(newest.getFirst());
        default -> new Answer.AskGit();
      };
    }

    private boolean visit(String sha) {
      int passedOn = marks(sha);
      if (passedOn == OF_BOTH) {
        if (!shared.contains(sha)) {
          shared.add(sha);
        }
        passedOn |= STALE;
      }
      for (String parent : node(sha).map(Node::parents).orElse(List.of())) {
        if ((marks(parent) & passedOn) != passedOn && !mark(parent, passedOn)) {
          return false;
        }
      }
      return true;
    }

    private int marks(String sha) {
      return marks.getOrDefault(sha, 0);
    }

    /** Marks a commit; false where it cannot be read, or the walk is too long. */
    private boolean mark(String sha, int mark) {
      Optional<Node> node = node(sha);
      if (node.isEmpty() || ++visits > MOST_VISITED) {
        return false;
      }
      marks.merge(sha, mark, (a, b) -> a | b);
      queue.add(new Visit(sha, node.get().time(), visits));
      return true;
    }

    private Optional<Node> node(String sha) {
      Optional<Node> known = known(sha);
      if (known.isPresent() || ++reads > MOST_READ) {
        return known;
      }
      Optional<Node> read = commits.apply(sha).map(c -> new Node(c.parents(), c.time()));
      read.ifPresent(node -> remember(sha, node));
      return read;
    }
  }

  private synchronized Optional<Node> known(String sha) {
    return Optional.ofNullable(nodes.get(sha));
  }

  private synchronized void remember(String sha, Node node) {
    nodes.put(sha, node);
    if (nodes.size() > MOST_REMEMBERED) {
      nodes.remove(nodes.keySet().iterator().next());
    }
  }
}
