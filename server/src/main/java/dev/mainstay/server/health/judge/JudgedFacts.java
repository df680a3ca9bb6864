package dev.mainstay.server.health.judge;

import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.Quarantine;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.judge.Judgement;
import dev.mainstay.server.health.test.StandingJson;
import dev.mainstay.server.health.test.TestFacts;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.health.test.TestStore;
import dev.mainstay.server.platform.Fact;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What judgements tell those outside: monitors first, then the status they lead to. */
final class JudgedFacts {
  private JudgedFacts() {}

  static List<Fact> monitors(
      UUID test, Standing before, Standing after, List<Monitor> monitors, Instant now) {
    var facts = new ArrayList<Fact>();
    for (Monitor monitor : monitors) {
      Optional<MonitorState> was = before.of(monitor.id());
      Optional<MonitorState> is = after.of(monitor.id());
      boolean wasActive = was.map(MonitorState::active).orElse(false);
      boolean isActive = is.map(MonitorState::active).orElse(false);
      if (wasActive != isActive) {
        facts.add(monitor(test, monitor, isActive ? is : is.or(() -> was), isActive, now));
      }
    }
    return facts;
  }

  private static Fact monitor(
      UUID test, Monitor monitor, Optional<MonitorState> state, boolean active, Instant now) {
    String word = active ? "active" : "resolved";
    Fact fact =
        TestFacts.of(
            "monitor_status_changed",
            test,
            now,
            "monitor_" + word,
            active
                ? state.map(s -> s.evidence().sentence()).orElse("")
                : "The monitor %s has resolved.".formatted(monitor.name()));
    name(fact, monitor, word);
    state.ifPresent(s -> fact.content().set("evidence", StandingJson.evidence(s.evidence())));
    return fact;
  }

  private static void name(Fact fact, Monitor monitor, String word) {
    fact.content()
        .putObject("monitor")
        .put("id", monitor.id().value().toString())
        .put("name", monitor.name())
        .put("type", MonitorRules.write(monitor.rule()).path("kind").asString(""))
        .put("status", word);
  }

  /** A change of status, for those who ask for it by either of its names. */
  static List<Fact> status(
      UUID test, Standing before, Judgement judgement, List<Monitor> monitors, Instant now) {
    Fact fact = status(test, before, judgement, now);
    cause(judgement)
        .ifPresent(
            state ->
                monitors.stream()
                    .filter(m -> m.id().equals(state.monitor()))
                    .forEach(m -> name(fact, m, state.active() ? "active" : "resolved")));
    return List.of(fact, new Fact("v2." + fact.kind(), fact.subject(), fact.at(), fact.content()));
  }

  /** The monitor that decided, or else the last one that resolved. */
  private static Optional<MonitorState> cause(Judgement judgement) {
    return judgement
        .decidedBy()
        .or(
            () ->
                judgement.after().monitors().stream()
                    .filter(state -> !state.active())
                    .max(Comparator.comparing(MonitorState::since)));
  }

  private static Fact status(UUID test, Standing before, Judgement judgement, Instant now) {
    Standing after = judgement.after();
    Fact fact =
        TestFacts.of(
            "status_changed",
            test,
            now,
            judgement.decidedBy().isPresent() ? "monitor_active" : "no_monitor_active",
            after.reason());
    fact.content()
        .put("status", TestStore.label(after.status()))
        .put("previous_status", TestStore.label(before.status()));
    judgement
        .decidedBy()
        .ifPresent(s -> fact.content().set("evidence", StandingJson.evidence(s.evidence())));
    return fact;
  }

  /** The end of a quarantine that was automatic. */
  static Optional<Fact> quarantineEnd(
      TestRow test, Quarantine.Switches switches, Standing before, Standing after, Instant now) {
    var choice = test.choiceAt(now);
    return Quarantine.applies(switches, before.status(), choice)
            && !Quarantine.applies(switches, after.status(), choice)
        ? Optional.of(TestFacts.quarantineEnded(test.id(), now, "healthy_again", after.reason()))
        : Optional.empty();
  }

  /** The end of a quarantine that somebody decided, by what it was to end with. */
  static Optional<Fact> decisionEnd(
      TestRow test, Quarantine.Switches switches, String code, String sentence, Instant now) {
    boolean was =
        test.decision()
            .filter(d -> Quarantine.applies(switches, test.status(), Optional.of(d.choice())))
            .isPresent();
    return was && !test.isQuarantined(switches, now)
        ? Optional.of(TestFacts.quarantineEnded(test.id(), now, code, sentence))
        : Optional.empty();
  }
}
