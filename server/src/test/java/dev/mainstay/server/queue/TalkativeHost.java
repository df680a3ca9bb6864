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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A host at which people talk, in memory; two nodes may use it. */
final class TalkativeHost implements Host {
  static final Abilities ABLE =
      Abilities.of(
          Ability.COMMENTS,
          Ability.COMMANDS,
          Ability.PERMISSIONS,
          Ability.LABELS,
          Ability.AUTO_MERGE);

  static final Abilities DISARMING =
      Abilities.of(Ability.DISARMING, ABLE.all().toArray(Ability[]::new));

  private record Said(int id, int pr, String who, boolean bot, String text) {}

  private final List<Said> said = new ArrayList<>();
  private int last;
  final Map<String, Permission> permissions = new HashMap<>();
  final Map<Integer, String> bases = new HashMap<>();

  /** Our comment on each pull request, and how often one was written. */
  final Map<Integer, String> ours = new TreeMap<>();

  /** The labels on each pull request, and who had the host merge which. */
  final Map<Integer, Set<String>> labels = new TreeMap<>();

  final Map<Integer, String> armed = new TreeMap<>();

  /** Who did last what, such as {@code 1 label}. */
  final Map<String, Deed> deeds = new HashMap<>();

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
    return Optional.of(
        new Cover(
            bases.getOrDefault(pr.number(), "main"),
            true,
            labels.getOrDefault(pr.number(), Set.of()),
            armed.containsKey(pr.number())));
  }

  synchronized void put(int pr, String label, String who) {
    labels.merge(pr, Set.of(label), TalkativeHost::both);
    deeds.put(pr + " " + label, new Deed("" + ++last, who, true));
  }

  synchronized void take(int pr, String label, String who) {
    labels.computeIfPresent(pr, (n, all) -> without(all, Set.of(label)));
    deeds.put(pr + " " + label, new Deed("" + ++last, who, false));
  }

  private static Set<String> both(Set<String> one, Set<String> other) {
    var both = new TreeSet<>(one);
    both.addAll(other);
    return both;
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    var rest = new TreeSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  synchronized void arm(int pr, String who) {
    armed.put(pr, who);
  }

  synchronized void takeBack(int pr) {
    armed.remove(pr);
  }

  /** Who took the merge back before we could, such as at the same moment. */
  Optional<String> disarmedBy = Optional.empty();

  Optional<RuntimeException> onDisarm = Optional.empty();
  int disarmed;

  @Override
  public synchronized boolean disarm(PullRequestRef pr) {
    onDisarm.ifPresent(
        e -> {
          throw e;
        });
    disarmed++;
    armed.remove(pr.number());
    return disarmedBy.isEmpty();
  }

  @Override
  public synchronized Covers covers(Optional<String> since) {
    var all = new HashMap<PullRequestRef, Cover>();
    for (int number : List.of(1, 2)) {
      var pr = new PullRequestRef(number);
      all.put(pr, cover(pr).orElseThrow());
    }
    return new Covers(all, "now");
  }

  @Override
  public synchronized Optional<Deed> labelled(PullRequestRef pr, String label) {
    return Optional.ofNullable(deeds.get(pr.number() + " " + label));
  }

  @Override
  public synchronized Optional<Deed> armed(PullRequestRef pr) {
    return Optional.ofNullable(armed.get(pr.number())).map(who -> new Deed("", who, true));
  }

  @Override
  public synchronized void label(PullRequestRef pr, Set<String> set, Set<String> take) {
    Set<String> rest = without(labels.getOrDefault(pr.number(), Set.of()), take);
    labels.put(pr.number(), both(rest, set));
    labelled.add("%s +%s -%s".formatted(pr, new TreeSet<>(set), new TreeSet<>(take)));
  }

  /** What we did with labels. */
  final List<String> labelled = new ArrayList<>();

  @Override
  public synchronized void comment(PullRequestRef pr, String text) {
    onComment.ifPresent(
        e -> {
          throw e;
        });
    writes++;
    ours.put(pr.number(), text);
  }

  /** Done whenever it is asked what somebody may do. */
  Runnable onPermission = () -> {};

  @Override
  public Permission permission(String login) {
    onPermission.run();
    return permissions.getOrDefault(login, Permission.NONE);
  }

  String ours(int pr) {
    return ours.getOrDefault(pr, "");
  }
}
