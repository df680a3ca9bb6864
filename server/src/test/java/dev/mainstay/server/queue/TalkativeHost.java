package dev.mainstay.server.queue;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.hosted.CommandLines;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A host at which people talk, in memory; two nodes may use it. */
final class TalkativeHost implements Host {
  static final Abilities ABLE =
      Abilities.of(Ability.COMMENTS, Ability.COMMANDS, Ability.PERMISSIONS);

  private record Said(int id, int pr, String who, boolean bot, String text) {}

  private final List<Said> said = new ArrayList<>();
  private int last;
  final Map<String, Permission> permissions = new HashMap<>();
  final Map<Integer, String> bases = new HashMap<>();

  /** Our comment on each pull request, and how often one was written. */
  final Map<Integer, String> ours = new TreeMap<>();

  int writes;
  int asked;

  /** All reactions, such as {@code 1 DONE}. */
  final List<String> reactions = new ArrayList<>();

  /** Thrown by the next calls of this kind. */
  Optional<RuntimeException> onReact = Optional.empty();

  Optional<RuntimeException> onComment = Optional.empty();

  TalkativeHost() {
    permissions.put("ann", Permission.WRITE);
    permissions.put("reader", Permission.READ);
  }

  synchronized int say(int pr, String who, String text) {
    said.add(new Said(++last, pr, who, who.endsWith("[bot]"), text));
    return last;
  }

  synchronized void edit(int id, String text) {
    said.replaceAll(s -> s.id() == id ? new Said(id, s.pr(), s.who(), s.bot(), text) : s);
  }

  synchronized void delete(int id) {
    said.removeIf(s -> s.id() == id);
  }

  @Override
  public synchronized Comments comments(Optional<String> since) {
    asked++;
    int mark = since.map(Integer::parseInt).orElse(last);
    List<Comment> fresh =
        said.stream()
            .filter(s -> s.id() > mark)
            .map(
                s ->
                    new Comment(
                        "" + s.id(),
                        new PullRequestRef(s.pr()),
                        s.who(),
                        s.bot(),
                        CommandLines.of(s.text())))
            .toList();
    return new Comments(fresh, "" + last);
  }

  @Override
  public synchronized void react(PullRequestRef pr, String comment, Reaction reaction) {
    onReact.ifPresent(
        e -> {
          throw e;
        });
    reactions.add(comment + " " + reaction);
  }

  @Override
  public Optional<Cover> cover(PullRequestRef pr) {
    return Optional.of(new Cover(bases.getOrDefault(pr.number(), "main"), true));
  }

  @Override
  public synchronized void comment(PullRequestRef pr, String text) {
    onComment.ifPresent(
        e -> {
          throw e;
        });
    writes++;
    ours.put(pr.number(), text);
  }

  @Override
  public Permission permission(String login) {
    return permissions.getOrDefault(login, Permission.NONE);
  }

  String ours(int pr) {
    return ours.getOrDefault(pr, "");
  }
}
