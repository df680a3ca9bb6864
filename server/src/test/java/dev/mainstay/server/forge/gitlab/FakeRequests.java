package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.github.FakeRepository;
import dev.mainstay.server.forge.gitlab.FakeCall.Reply;
import dev.mainstay.server.platform.Json;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * The merge requests of the fake, which follow the branches as GitLab's do: a push to a source
 * branch is taken in some time later, and one is merged when the head that was taken in before is
 * among what is pushed to its target. What is taken in after the target holds it, stays open.
 */
final class FakeRequests {
  static final int PROJECT = 4242;
  private static final int FORK = 4343;

  private final FakeRepository repository;
  private final String address;
  private final FakePeople people;
  private final TreeMap<Integer, FakeRequest> requests = new TreeMap<>();
  private Map<String, String> before = Map.of();
  private int last = 100;

  /** So many times a merge request is asked for before it shows a push, or that it is merged. */
  int lag;

  /** The words by which merging is refused, if it is. */
  Optional<String> refusal = Optional.empty();

  /** Done once, just before the next merge. */
  Optional<Runnable> beforeMerge = Optional.empty();

  /** Done whenever the branch of a head was seen to be moved. */
  Runnable afterHeadMoved = () -> {};

  FakeRequests(FakeRepository repository, String address, FakePeople people) {
    this.repository = repository;
    this.people = people;
    this.address = address;
  }

  FakeRequest of(int number) {
    return find(number).orElseThrow();
  }

  Optional<FakeRequest> find(int number) {
    return Optional.ofNullable(requests.get(number));
  }

  void add(FakeRequest request) {
    requests.put(request.number, request);
    show(request);
  }

  static String reference(int number) {
    return "refs/merge-requests/" + number + "/head";
  }

  void show(FakeRequest request) {
    repository.move(reference(request.number), request.head);
  }

  /** Lets the merge requests follow what was pushed since the last call; answers what moved. */
  Map<String, String> follow() {
    Map<String, String> now = repository.branches();
    Map<String, String> moved = new TreeMap<>(now);
    moved.entrySet().removeAll(before.entrySet());
    if (!now.equals(before)) {
      List<FakeRequest> open = requests.values().stream().filter(FakeRequest::isOpen).toList();
      open.forEach(r -> followSource(r, now));
      open.stream().filter(FakeRequest::isOpen).forEach(r -> followTarget(r, now));
      open.stream().filter(r -> lag == 0).forEach(this::take);
      before = now;
    }
    return moved;
  }

  private void followSource(FakeRequest request, Map<String, String> now) {
    if (request.sourceBranch.isEmpty()) {
      return;
    }
    String at = now.get(request.sourceBranch.get());
    if (at == null) {
      request.close();
    } else if (!at.equals(request.pushed.orElse(request.head))) {
      request.pushed = Optional.of(at);
      request.readsUntilTaken = lag;
      afterHeadMoved.run();
    }
  }

  private void followTarget(FakeRequest request, Map<String, String> now) {
    Optional<String> target = Optional.ofNullable(now.get(request.target));
    Optional<String> old = Optional.ofNullable(before.get(request.target));
    if (target.isPresent()
        && !target.equals(old)
        && !request.empty
        && repository.isIn(request.head, target.get())
        && (old.isEmpty() || !repository.isIn(request.head, old.get()))) {
      request.mergeDue = Optional.of(repository.holder(request.head, target.get(), old));
      request.readsUntilMerged = lag;
      if (lag == 0) {
        request.merge(request.mergeDue.get());
      }
    }
  }

  private void take(FakeRequest request) {
    if (request.pushed.isPresent() && request.isOpen()) {
      request.head = request.pushed.get();
      request.pushed = Optional.empty();
      request.touch();
      show(request);
      request.empty =
          repository
              .branch(request.target)
              .filter(target -> repository.isIn(request.head, target))
              .isPresent();
    }
  }

  private void read(FakeRequest request) {
    if (request.pushed.isPresent() && request.readsUntilTaken-- <= 0) {
      take(request);
    }
    if (request.mergeDue.isPresent() && request.readsUntilMerged-- <= 0) {
      request.merge(request.mergeDue.get());
    }
  }

  /** Answers only where the merge request is there. */
  FakeCall.Handler there(FakeCall.Handler handler) {
    return call -> find(call.number()).isPresent() ? handler.on(call) : Reply.notFound();
  }

  /** It is gone, as if it had never been. */
  void remove(int number) {
    requests.remove(number);
  }

  Reply get(FakeCall call) {
    Optional<FakeRequest> found = find(call.number());
    found.ifPresent(this::read);
    return found.map(r -> Reply.ok(shape(r))).orElseGet(Reply::notFound);
  }

  Reply list(FakeCall call) {
    String state = call.query("state").orElse("all");
    Stream<FakeRequest> found =
        requests.values().stream()
            .filter(r -> state.equals("all") || r.state.equals(state))
            .filter(
                r ->
                    call.query("source_branch")
                        .map(b -> r.sourceBranch.equals(Optional.of(b)))
                        .orElse(true))
            .filter(r -> call.query("target_branch").map(r.target::equals).orElse(true))
            .filter(
                r ->
                    call.query("updated_after")
                        .map(t -> !r.updated.isBefore(Instant.parse(t)))
                        .orElse(true));
    boolean byUpdate = call.query("order_by").equals(Optional.of("updated_at"));
    Comparator<FakeRequest> order =
        byUpdate ? Comparator.comparing(r -> r.updated) : Comparator.comparingInt(r -> r.number);
    boolean rising = call.query("sort").equals(Optional.of("asc"));
    return Reply.ok(found.sorted(rising ? order : order.reversed()).map(this::brief).toList());
  }

  Reply ofCommit(FakeCall call) {
    return Reply.ok(
        requests.values().stream()
            .filter(r -> r.head.equals(call.parts().getFirst()))
            .map(this::brief)
            .toList());
  }

  Reply create(FakeCall call) {
    String branch = call.text("source_branch").orElseThrow();
    String target = call.text("target_branch").orElseThrow();
    Optional<String> head = repository.branch(branch);
    boolean open =
        requests.values().stream()
            .anyMatch(
                r ->
                    r.isOpen()
                        && r.sourceBranch.equals(Optional.of(branch))
                        && r.target.equals(target));
    if (open) {
      return Reply.not(
          409, "[\"Another open merge request already exists for this source branch\"]");
    }
    if (head.isEmpty()) {
      return Reply.not(400, "{\"source_branch\":[\"does not exist\"]}");
    }
    var made = new FakeRequest(++last, FakeGitLab.LOGIN, Optional.of(branch), target, head.get());
    made.title = call.text("title").orElseThrow();
    made.draft = made.title.startsWith("Draft:");
    made.description = call.text("description").orElse("");
    add(made);
    return new Reply(201, shape(made));
  }

  Reply change(FakeCall call) {
    Optional<FakeRequest> found = find(call.number());
    if (call.text("state_event").equals(Optional.of("close"))) {
      found.filter(FakeRequest::isOpen).ifPresent(FakeRequest::close);
    }
    return found.map(r -> Reply.ok(shape(r))).orElseGet(Reply::notFound);
  }

  /** In the order of GitLab: who may, the head, the checks, then the merge itself. */
  Reply merge(FakeCall call) {
    beforeMerge.ifPresent(Runnable::run);
    beforeMerge = Optional.empty();
    FakeRequest request = of(call.number());
    if (call.text("sha").filter(sha -> !sha.equals(request.head)).isPresent()) {
      return Reply.not(409, "SHA does not match HEAD of source branch: " + request.head);
    }
    String base = repository.branch(request.target).orElseThrow();
    Optional<String> tree = repository.merged(base, request.head);
    boolean unknown = request.timesUnknown > 0;
    if (!request.isOpen()
        || request.draft
        || unknown
        || !request.status.equals("mergeable")
        || tree.isEmpty()) {
      return Reply.not(405, "405 Method Not Allowed");
    }
    if (refusal.isPresent()) {
      return Reply.not(422, refusal.get());
    }
    boolean squash = call.body().path("squash").asBoolean(false);
    String source = request.head;
    if (squash) {
      source = repository.commit(tree.get(), call.text("squash_commit_message").orElse("x"), base);
      request.squashedAs = Optional.of(source);
    }
    String made =
        repository.commit(tree.get(), call.text("merge_commit_message").orElse("x"), base, source);
    repository.move("refs/heads/" + request.target, made);
    request.merge(made);
    follow();
    return Reply.ok(shape(request));
  }

  private ObjectNode brief(FakeRequest request) {
    ObjectNode json = Json.object().put("id", 9000 + request.number).put("iid", request.number);
    json.put("project_id", PROJECT).put("title", request.title);
    json.put("description", request.description).put("state", request.state);
    json.put("created_at", "2026-01-01T00:00:00.000Z")
        .put("updated_at", request.updated.toString());
    json.put("target_branch", request.target);
    json.put("source_branch", request.sourceBranch.orElse("change"));
    json.put("source_project_id", request.sourceBranch.isPresent() ? PROJECT : FORK);
    json.put("target_project_id", PROJECT);
    json.set("author", people.basic(request.author));
    request.armedBy.ifPresentOrElse(
        who -> json.set("merge_user", people.basic(who)), () -> json.putNull("merge_user"));
    request.labels.forEach(json.putArray("labels")::add);
    json.put("draft", request.draft).put("work_in_progress", request.draft);
    json.put("merge_when_pipeline_succeeds", request.armedBy.isPresent());
    json.put("merge_status", "can_be_merged").put("detailed_merge_status", status(request));
    json.put("sha", request.head);
    json.put("merge_commit_sha", request.mergedAs.orElse(null));
    json.put("squash_commit_sha", request.squashedAs.orElse(null));
    json.put("squash", false).put("has_conflicts", false);
    json.put(
        "web_url", "%s/acme/platform/app/-/merge_requests/%d".formatted(address, request.number));
    return json;
  }

  private static String status(FakeRequest request) {
    return !request.isOpen()
        ? "not_open"
        : request.timesUnknown > 0 ? "checking" : request.draft ? "draft_status" : request.status;
  }

  private ObjectNode shape(FakeRequest request) {
    ObjectNode json = brief(request);
    request.timesUnknown = Math.max(0, request.timesUnknown - 1);
    json.putObject("diff_refs").put("head_sha", request.head);
    json.put("changes_count", request.empty ? null : "1");
    json.putObject("user").put("can_merge", true);
    return json;
  }
}
