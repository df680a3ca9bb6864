package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.github.FakeRoute.Call;
import dev.mainstay.server.forge.github.FakeRoute.Reply;
import dev.mainstay.server.platform.Json;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pull requests of the fake, which follow the branches as GitHub's do: one is merged when its
 * head is in the base after a push to the base alone; where both came by one push, or the head
 * moved into the base, it is closed.
 */
final class FakePulls {
  private final FakeRepository repository;
  private final FakePullShape shape;
  private final TreeMap<Integer, FakePull> pulls = new TreeMap<>();
  private Map<String, String> before = Map.of();
  private int last;

  /** The words by which merging is refused, if it is. */
  Optional<String> refusal = Optional.empty();

  /** Done whenever the branch of a head was moved, with the number of its pull request. */
  IntConsumer afterHeadMoved = number -> {};

  /** So many merges are refused because the last push is not taken in yet. */
  int notYet;

  /** Done once, just before the next merge. */
  Optional<Runnable> beforeMerge = Optional.empty();

  FakePulls(FakeRepository repository, FakePullShape shape) {
    this.repository = repository;
    this.shape = shape;
  }

  FakePull pull(int number) {
    return Optional.ofNullable(pulls.get(number)).orElseThrow();
  }

  Optional<FakePull> find(int number) {
    return Optional.ofNullable(pulls.get(number));
  }

  Collection<FakePull> all() {
    return pulls.values();
  }

  void add(FakePull pull) {
    list(pull);
    repository.move(FakeRepository.head(pull.number), pull.head);
  }

  /** One that is listed, and that git does not have. */
  void list(FakePull pull) {
    pulls.put(pull.number, pull);
  }

  /** A number that nobody had, and nobody else gets; tests use those up to 100 by themselves. */
  int number() {
    last = Math.max(last, pulls.isEmpty() ? 0 : Math.max(100, pulls.lastKey())) + 1;
    return last;
  }

  /** Lets the pull requests follow what was pushed since the last call. */
  void follow() {
    Map<String, String> now = repository.branches();
    if (!now.equals(before)) {
      pulls.values().stream().filter(p -> p.open).forEach(p -> follow(p, now));
      before = now;
    }
  }

  private void follow(FakePull pull, Map<String, String> now) {
    Optional<String> base = Optional.ofNullable(now.get(pull.base));
    Optional<String> oldBase = Optional.ofNullable(before.get(pull.base));
    boolean headMoved = headMoved(pull, now);
    if (base.isEmpty() || !repository.isIn(pull.head, base.get())) {
      return;
    }
    if (headMoved) {
      pull.close();
    } else if (!base.equals(oldBase)) {
      pull.merge(repository.holder(pull.head, base.get(), oldBase));
    }
  }

  private boolean headMoved(FakePull pull, Map<String, String> now) {
    if (pull.headBranch.isEmpty()) {
      return false;
    }
    Optional<String> head = Optional.ofNullable(now.get(pull.headBranch.get()));
    if (head.isEmpty()) {
      pull.close();
      return false;
    }
    if (head.get().equals(pull.head)) {
      return false;
    }
    pull.head = head.get();
    pull.updated = java.time.Instant.now();
    repository.move(FakeRepository.head(pull.number), pull.head);
    afterHeadMoved.accept(pull.number);
    return true;
  }

  Reply list(Call call) {
    String state = call.query().getOrDefault("state", "open");
    Optional<String> head = Optional.ofNullable(call.query().get("head"));
    Optional<String> base = Optional.ofNullable(call.query().get("base"));
    Stream<FakePull> found =
        pulls.values().stream()
            .filter(p -> state.equals("all") || p.open == state.equals("open"))
            .filter(p -> head.isEmpty() || head.equals(Optional.of(shape.label(p))))
            .filter(p -> base.isEmpty() || base.equals(Optional.of(p.base)));
    boolean byUpdate = "updated".equals(call.query().get("sort"));
    Comparator<FakePull> order =
        byUpdate ? Comparator.comparing(p -> p.updated) : Comparator.comparingInt(p -> p.number);
    boolean rising = "asc".equals(call.query().get("direction"));
    List<FakePull> sorted = found.sorted(rising ? order : order.reversed()).toList();
    Map<String, String> branches = repository.branches();
    return Reply.ok(new FakePages.Shaped<>(sorted, pull -> shape.brief(pull, branches)));
  }

  Reply get(Call call) {
    return find(call.number()).map(p -> Reply.ok(shape.full(p))).orElseGet(Reply::notFound);
  }

  Reply reviews(Call call) {
    return find(call.number())
        .map(p -> Reply.ok(p.reviews.stream().map(FakePullShape::review).toList()))
        .orElseGet(Reply::notFound);
  }

  Reply events(Call call) {
    return find(call.number())
        .map(p -> Reply.ok(p.events.stream().map(FakeShapes::event).toList()))
        .orElseGet(Reply::notFound);
  }

  Reply label(Call call) {
    Optional<FakePull> pull = find(call.number());
    call.body()
        .path("labels")
        .forEach(label -> pull.ifPresent(p -> p.label(label.asString(), "mainstay-bot")));
    return pull.map(FakePulls::labels).orElseGet(Reply::notFound);
  }

  Reply unlabel(Call call) {
    Optional<FakePull> pull = find(call.number());
    String label = call.parts().get(1);
    if (pull.filter(p -> p.labels.contains(label)).isEmpty()) {
      return Reply.not(404, "Label does not exist");
    }
    pull.get().unlabel(label, "mainstay-bot");
    return labels(pull.get());
  }

  private static Reply labels(FakePull pull) {
    return Reply.ok(pull.labels.stream().map(FakeShapes::label).toList());
  }

  Reply change(Call call) {
    if (!pulls.containsKey(call.number())) {
      return Reply.notFound();
    }
    FakePull pull = pull(call.number());
    call.text("title").ifPresent(title -> pull.title = title);
    call.text("body").ifPresent(body -> pull.body = body);
    if (call.text("state").equals(Optional.of("closed"))) {
      pull.close();
    } else if (call.text("state").equals(Optional.of("open")) && pull.merged) {
      return Reply.not(422, "Validation Failed");
    }
    return Reply.ok(shape.full(pull));
  }

  Reply create(Call call) {
    String branch = call.text("head").orElseThrow().replaceFirst("^[^:]*:", "");
    String base = call.text("base").orElseThrow();
    Optional<String> head = repository.branch(branch);
    boolean open =
        pulls.values().stream()
            .anyMatch(
                p -> p.open && p.headBranch.equals(Optional.of(branch)) && p.base.equals(base));
    if (head.isEmpty() || repository.branch(base).isEmpty() || open) {
      return invalid(open ? "A pull request already exists for acme:" + branch + "." : "invalid");
    }
    var pull = new FakePull(number(), "mainstay-bot", Optional.of(branch), base, head.get());
    pull.title = call.text("title").orElseThrow();
    pull.body = call.text("body").orElse("");
    pull.draft = call.body().path("draft").asBoolean(false);
    add(pull);
    return new Reply(201, shape.full(pull));
  }

  private static Reply invalid(String message) {
    ObjectNode json = Json.object().put("message", "Validation Failed").put("status", "422");
    json.put("documentation_url", "https://docs.github.com/rest");
    json.putArray("errors")
        .add(
            Json.object()
                .put("resource", "PullRequest")
                .put("code", "custom")
                .put("message", message));
    return new Reply(422, json);
  }

  Reply merge(Call call) {
    beforeMerge.ifPresent(Runnable::run);
    beforeMerge = Optional.empty();
    FakePull pull = pull(call.number());
    Optional<String> sha = call.text("sha");
    String base = repository.branch(pull.base).orElseThrow();
    Optional<String> tree = repository.merged(base, pull.head);
    if (!pull.open || pull.draft || tree.isEmpty()) {
      return Reply.not(405, "Pull Request is not mergeable");
    }
    if (notYet-- > 0) {
      return Reply.not(405, "Base branch was modified. Review and try the merge again.");
    }
    if (refusal.isPresent() || shape.protection().blocks(pull)) {
      return Reply.not(405, refusal.orElse("A rule of the branch is not met."));
    }
    if (sha.isPresent() && !sha.get().equals(pull.head)) {
      return Reply.not(409, "Head branch was modified. Review and try the merge again.");
    }
    String message =
        call.text("commit_title").orElse("x") + "\n\n" + call.text("commit_message").orElse("");
    String made =
        switch (call.text("merge_method").orElse("merge")) {
          case "squash" -> repository.commit(tree.get(), message, base);
          case "rebase" -> repository.rebased(base, pull.head);
          default -> repository.commit(tree.get(), message, base, pull.head);
        };
    repository.move("refs/heads/" + pull.base, made);
    pull.merge(made);
    follow();
    ObjectNode json = Json.object().put("sha", made).put("merged", true);
    return Reply.ok(json.put("message", "Pull Request successfully merged"));
  }
}
