package dev.mainstay.server.queue.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.chance.Learned;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.Doubt;
import dev.mainstay.core.queue.Entries;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.Looked;
import dev.mainstay.core.queue.Progress;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Stall;
import dev.mainstay.core.queue.Target;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The stored JSON of a queue: core types, and the number of the form they are written in. Whoever
 * changes the form gives it the next number, and {@link OlderForms} leads from the one before to
 * it; golden files hold each form ever written. {@code sets} finds long lists of targets by their
 * hash.
 */
public final class StoredJson {
  private static final String FORM = "{\"v\":" + OlderForms.PRESENT + ",";
  private static final JsonMapper MAPPER = StoredMapper.create();

  private StoredJson() {}

  /** The rest of a state, without its target, its groups and its entries. */
  private record Rest(
      QueueSettings settings,
      QueueLifecycle lifecycle,
      Optional<Mode> switchingTo,
      Connection connection,
      Optional<LandingInFlight> landing,
      Optional<Instant> wakeAt,
      long lastId,
      Optional<Instant> movedAt,
      Optional<Stall> stall,
      Optional<Doubt> doubt) {
    static Rest of(QueueState state) {
      return new Rest(
          state.settings(),
          state.lifecycle(),
          state.switchingTo(),
          state.connection(),
          state.landing(),
          state.wakeAt(),
          state.lastId(),
          state.progress().movedAt(),
          state.progress().stall(),
          Optional.of(state.doubt()).filter(d -> !d.equals(Doubt.NONE)));
    }
  }

  private record Groups(List<Group> groups) {}

  private record Events(List<QueueEvent> events) {}

  /** Changes, and those that are left out beside them. */
  record Changes(
      List<Change> changes,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PullRequestRef> leavesOut) {}

  private record Targets(ImpactedTargets targets) {}

  private record Whole(
      Rest rest,
      Target target,
      List<Group> line,
      List<Group> side,
      List<Entry> entries,
      Optional<Learned> learned) {}

  /** A state in the parts that it is stored in; the entries are rows of their own. */
  record Parts(String rest, String target, String line, String side, Optional<String> learned) {}

  static String rest(QueueState state) {
    return write(Rest.of(state));
  }

  static String learned(Learned learned) {
    return write(learned);
  }

  static String target(Target target) {
    return write(target);
  }

  static String groups(List<Group> groups) {
    return write(new Groups(groups));
  }

  public static QueueState state(
      Parts parts, List<Entry> entries, Function<String, ImpactedTargets> sets) {
    return state(
        new Whole(
            read(parts.rest(), Rest.class, sets),
            read(parts.target(), Target.class, sets),
            read(parts.line(), Groups.class, sets).groups(),
            read(parts.side(), Groups.class, sets).groups(),
            entries,
            parts.learned().map(json -> read(json, Learned.class, sets))));
  }

  public static String entry(Entry entry) {
    return write(entry);
  }

  public static Entry entry(String json, Function<String, ImpactedTargets> sets) {
    return read(json, Entry.class, sets);
  }

  /** The events of one transaction. */
  public static String events(List<QueueEvent> events) {
    return write(new Events(events));
  }

  /** The events of a row. Older rows hold one event each. */
  public static List<QueueEvent> events(String json, Function<String, ImpactedTargets> sets) {
    return beginsWith(json, "events")
        ? read(json, Events.class, sets).events()
        : List.of(read(json, QueueEvent.class, sets));
  }

  static String action(QueueAction action) {
    return write(action);
  }

  static QueueAction action(String json) {
    return read(json, QueueAction.class, StoredJson::none);
  }

  static String changes(List<Change> changes) {
    return assumed(changes, List.of());
  }

  static String assumed(List<Change> lands, List<PullRequestRef> leavesOut) {
    return write(new Changes(lands, leavesOut));
  }

  static Changes changes(String json) {
    return read(json, Changes.class, StoredJson::none);
  }

  public static String targets(ImpactedTargets targets) {
    return write(new Targets(targets));
  }

  public static ImpactedTargets targets(String json, Function<String, ImpactedTargets> sets) {
    return read(json, Targets.class, sets).targets();
  }

  /** A state in one piece. */
  public static String state(QueueState state) {
    return write(
        new Whole(
            Rest.of(state),
            state.target(),
            state.line(),
            state.side(),
            List.copyOf(state.entries().values()),
            Optional.of(state.learned()).filter(l -> !l.equals(Learned.NOTHING))));
  }

  public static QueueState state(String json, Function<String, ImpactedTargets> sets) {
    return state(read(json, Whole.class, sets));
  }

  /** True for a state in one piece, false for events. */
  public static boolean isState(String json) {
    return beginsWith(json, "rest");
  }

  private static boolean beginsWith(String json, String field) {
    return json.startsWith("\"" + field + "\"", json.indexOf(',') + 1);
  }

  private static QueueState state(Whole whole) {
    Rest rest = whole.rest();
    return new QueueState(
        rest.settings(),
        rest.lifecycle(),
        rest.switchingTo(),
        rest.connection(),
        whole.target(),
        Entries.of(whole.entries()),
        whole.line(),
        whole.side(),
        rest.landing(),
        rest.wakeAt(),
        rest.lastId(),
        new Progress(rest.movedAt(), rest.stall()),
        rest.doubt().orElse(Doubt.NONE),
        Looked.AT_NOBODY,
        whole.learned().orElse(Learned.NOTHING));
  }

  private static String write(Object value) {
    String json = MAPPER.writeValueAsString(value);
    return FORM + json.substring(1);
  }

  private static <T> T read(String json, Class<T> type, Function<String, ImpactedTargets> sets) {
    var reader = MAPPER.readerFor(type).withAttribute(StoredMapper.SETS, sets);
    return json.startsWith(FORM)
        ? reader.readValue(json)
        : reader.readValue(OlderForms.upgraded((ObjectNode) MAPPER.readTree(json)));
  }

  private static ImpactedTargets none(String hash) {
    throw new IllegalStateException("no targets belong here: " + hash);
  }
}
