package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.gitlab.FakeCall.Reply;
import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is said at the fake: notes by people, which have events and reactions, and those of the
 * system, which have none.
 */
final class FakeNotes {
  private static final String THEN = "2026-01-01T00:00:00.000Z";

  /** A note on a merge request, or on an issue. */
  record Note(int id, int event, String of, int number, String author, ObjectNode json) {
    String text() {
      return json.get("body").asString();
    }

    boolean isOf(int request) {
      return of.equals("MergeRequest") && number == request;
    }

    boolean isOfSystem() {
      return json.get("system").asBoolean();
    }
  }

  private final FakePeople people;
  private final List<Note> all = new ArrayList<>();
  private final Map<Integer, List<String>> reactions = new TreeMap<>();
  private int last = 300;
  private int lastEvent = 7000;

  /** The number of an event that the token may not see. */
  int hiddenEvent;

  FakeNotes(FakePeople people) {
    this.people = people;
  }

  /** What people said on a merge request. */
  List<Note> of(int request) {
    return all.stream().filter(n -> n.isOf(request) && !n.isOfSystem()).toList();
  }

  /** The newest event. */
  int event() {
    return lastEvent;
  }

  /** Answers the number of the note. */
  int say(int request, String author, String text) {
    return add("MergeRequest", request, author, text, false);
  }

  int sayOnIssue(int issue, String author, String text) {
    return add("Issue", issue, author, text, false);
  }

  /** A note of the system makes no event, as far as is known. */
  boolean eventsOfSystem;

  void tell(int request, String author, String text) {
    add("MergeRequest", request, author, text, true);
  }

  private int add(String of, int number, String author, String text, boolean system) {
    int id = ++last;
    ObjectNode json = Json.object().put("id", id).put("body", text).putNull("type");
    json.set("author", people.basic(author));
    json.put("created_at", THEN).put("updated_at", THEN).put("system", system);
    json.put("noteable_id", 9000 + number).put("noteable_type", of).put("noteable_iid", number);
    json.put("project_id", FakeRequests.PROJECT).put("resolvable", false);
    json.put("confidential", false).put("internal", false);
    all.add(new Note(id, system && !eventsOfSystem ? 0 : ++lastEvent, of, number, author, json));
    return id;
  }

  void edit(int id, String text) {
    find(id).ifPresent(n -> n.json().put("body", text));
  }

  void delete(int id) {
    all.replaceAll(n -> n.id() == id ? new Note(0, n.event(), "", 0, n.author(), n.json()) : n);
  }

  private Optional<Note> find(int id) {
    return all.stream().filter(n -> n.id() == id).findFirst();
  }

  List<String> reactions(int id) {
    return List.copyOf(reactions.getOrDefault(id, List.of()));
  }

  Reply list(FakeCall call) {
    boolean activity = call.query("activity_filter").equals(Optional.of("only_activity"));
    Stream<ObjectNode> found =
        all.stream()
            .filter(n -> n.isOf(call.number()) && (!activity || n.isOfSystem()))
            .map(Note::json);
    List<ObjectNode> notes = found.toList();
    return Reply.ok(call.query("sort").equals(Optional.of("asc")) ? notes : notes.reversed());
  }

  /** What the token may not see leaves a page shorter; what was deleted has no note. */
  Reply events(FakeCall call) {
    boolean told =
        call.query("action").equals(Optional.of("commented"))
            && call.query("target_type").isEmpty();
    List<Object> events = new ArrayList<>();
    all.reversed().stream()
        .filter(n -> told && n.event() > 0)
        .forEach(n -> events.add(n.event() == hiddenEvent ? FakeCall.HIDDEN : event(n)));
    return Reply.ok(events);
  }

  private ObjectNode event(Note note) {
    ObjectNode json = Json.object().put("id", note.event()).put("action_name", "commented on");
    json.put("project_id", FakeRequests.PROJECT).put("created_at", THEN);
    json.put("target_id", note.id()).put("target_iid", note.id());
    json.put("target_type", note.id() % 2 == 0 ? "Note" : "DiscussionNote");
    json.put("author_id", people.id(note.author())).put("author_username", note.author());
    json.set("author", people.basic(note.author()));
    if (note.id() > 0) {
      json.set("note", note.json());
    }
    return json;
  }

  Reply write(FakeCall call) {
    int id = say(call.number(), FakeGitLab.LOGIN, call.text("body").orElseThrow());
    return new Reply(201, find(id).orElseThrow().json());
  }

  private Optional<Note> own(FakeCall call) {
    return find(Integer.parseInt(call.parts().getLast()))
        .filter(n -> n.author().equals(FakeGitLab.LOGIN));
  }

  Reply change(FakeCall call) {
    Optional<Note> note = own(call);
    note.ifPresent(n -> n.json().put("body", call.text("body").orElseThrow()));
    return note.map(n -> Reply.ok(n.json())).orElseGet(Reply::notFound);
  }

  Reply remove(FakeCall call) {
    Optional<Note> note = own(call);
    note.ifPresent(n -> delete(n.id()));
    return note.isPresent() ? new Reply(204, Json.object()) : Reply.notFound();
  }

  /** The same reaction once more is refused as if it were not there. */
  Reply react(FakeCall call) {
    Optional<Note> note = find(Integer.parseInt(call.parts().getLast()));
    if (note.isEmpty() || !note.get().isOf(call.number())) {
      return Reply.not(404, "404 Note Not Found");
    }
    String name = call.text("name").orElseThrow();
    List<String> there = reactions.computeIfAbsent(note.get().id(), id -> new ArrayList<>());
    if (there.contains(name)) {
      return Reply.not(404, "404 Award Emoji Name has already been taken Not Found");
    }
    there.add(name);
    ObjectNode json = Json.object().put("id", 1).put("name", name).put("awardable_type", "Note");
    json.set("user", people.basic(FakeGitLab.LOGIN));
    return new Reply(201, json.put("awardable_id", note.get().id()));
  }
}
