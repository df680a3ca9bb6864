package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.gitlab.FakeCall.Reply;
import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Labels of the fake's merge requests and its merge button, which say who did what. */
final class FakeSigns {
  private record Labelling(int id, int request, String who, String label, String action) {}

  private final FakeRequests requests;
  private final FakeNotes notes;
  private final FakePeople people;
  private final List<Labelling> labellings = new ArrayList<>();

  /** GitLab does not take back its own merge, and answers as if it did. */
  boolean keepsArmed;

  FakeSigns(FakeRequests requests, FakeNotes notes, FakePeople people) {
    this.requests = requests;
    this.notes = notes;
    this.people = people;
  }

  void label(int number, String label, String who) {
    FakeRequest request = requests.of(number);
    if (request.labels.add(label)) {
      labelled(request, who, label, "add");
    }
  }

  void unlabel(int number, String label, String who) {
    FakeRequest request = requests.of(number);
    if (request.labels.remove(label)) {
      labelled(request, who, label, "remove");
    }
  }

  private void labelled(FakeRequest request, String who, String label, String action) {
    labellings.add(new Labelling(labellings.size() + 1, request.number, who, label, action));
    request.touch();
  }

  void arm(int number, String who) {
    FakeRequest request = requests.of(number);
    request.armedBy = Optional.of(who);
    request.touch();
    notes.tell(
        number,
        who,
        "enabled an automatic merge when all merge checks for %s pass".formatted(request.head));
  }

  void disarm(int number, String who) {
    FakeRequest request = requests.of(number);
    request.armedBy = Optional.empty();
    request.touch();
    notes.tell(number, who, "canceled the automatic merge");
  }

  /** GitLab gives it up by itself, such as for a push. */
  void abort(int number, String who) {
    FakeRequest request = requests.of(number);
    request.armedBy = Optional.empty();
    request.touch();
    notes.tell(number, who, "aborted the automatic merge because source branch was updated");
  }

  /** The pipeline of its head succeeded: GitLab merges where it was told to, past any queue. */
  void green(int number) {
    FakeRequest request = requests.of(number);
    if (request.armedBy.isPresent()) {
      request.merge(request.head);
    }
  }

  Reply events(FakeCall call) {
    return Reply.ok(
        labellings.stream().filter(l -> l.request() == call.number()).map(this::shape).toList());
  }

  private ObjectNode shape(Labelling one) {
    ObjectNode json = Json.object().put("id", one.id()).put("action", one.action());
    json.set("user", people.basic(one.who()));
    json.put("created_at", "2026-01-01T00:00:00.000Z");
    json.put("resource_type", "MergeRequest").put("resource_id", 9000 + one.request());
    json.putObject("label")
        .put("id", Math.floorMod(one.label().hashCode(), 1000))
        .put("name", one.label())
        .put("color", "#D1D100");
    return json;
  }

  /** Labels in a change of a merge request: names with commas between. */
  Reply change(FakeCall call) {
    names(call, "add_labels").forEach(l -> label(call.number(), l, FakeGitLab.LOGIN));
    names(call, "remove_labels").forEach(l -> unlabel(call.number(), l, FakeGitLab.LOGIN));
    return requests.change(call);
  }

  private static List<String> names(FakeCall call, String field) {
    return call.text(field).stream()
        .flatMap(text -> Arrays.stream(text.split(",", -1)))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /** It answers that it made something, whatever came of it. */
  Reply cancel(FakeCall call) {
    FakeRequest request = requests.of(call.number());
    if (keepsArmed || request.armedBy.isEmpty() || !request.isOpen()) {
      ObjectNode no = Json.object().put("message", "Can't cancel the automatic merge");
      return new Reply(201, no.put("status", "error").put("http_status", 406));
    }
    disarm(call.number(), FakeGitLab.LOGIN);
    return new Reply(201, Json.object().put("status", "success"));
  }
}
