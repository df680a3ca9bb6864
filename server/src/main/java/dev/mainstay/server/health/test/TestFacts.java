package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Quarantine;
import dev.mainstay.server.platform.Fact;
import dev.mainstay.server.platform.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** What is told to those outside of what happened to a test. */
public final class TestFacts {
  private static final int LONGEST = 1000;

  private TestFacts() {}

  /** A fact of a test with its reason, a word for programs and a sentence; more may be added. */
  public static Fact of(String kind, UUID test, Instant at, String code, String sentence) {
    ObjectNode content = Json.object();
    content.putObject("test_case").put("id", test.toString());
    content.putObject("reason").put("code", code).put("message", bounded(sentence));
    return new Fact("test_case." + kind, "test/" + test, at, content);
  }

  /** Somebody decided about the quarantine of a test. */
  public static Fact decided(TestRow before, Optional<TestRow.Decision> decision, Instant now) {
    Fact fact =
        of(
            "quarantine_setting_changed",
            before.id(),
            now,
            "decided",
            decision.map(TestRow.Decision::reason).orElse("The decision was taken back."));
    fact.content()
        .put("setting", word(decision.map(TestRow.Decision::choice)))
        .put("previous_setting", word(before.choiceAt(now)));
    decision.ifPresent(d -> fact.content().put("by", bounded(d.by())));
    decision
        .flatMap(TestRow.Decision::until)
        .ifPresent(until -> fact.content().put("until", until.toString()));
    decision
        .flatMap(d -> d.end().afterPasses())
        .ifPresent(passes -> fact.content().put("after_passes", passes));
    decision
        .filter(d -> d.end().withTicket())
        .ifPresent(d -> fact.content().put("until_ticket_closed", true));
    return fact;
  }

  private static String word(Optional<Quarantine.Choice> choice) {
    return choice.map(Quarantine.Choice::name).orElse("NONE");
  }

  /** A test that was quarantined is not any more. */
  public static Fact quarantineEnded(UUID test, Instant now, String code, String sentence) {
    return of("quarantine_ended", test, now, code, sentence);
  }

  /** A ticket was linked to a test. */
  public static Fact linked(UUID test, String ticket, String address, Instant now) {
    Fact fact =
        of("ticket_linked", test, now, "linked", "The ticket %s was linked.".formatted(ticket));
    fact.content().putObject("ticket").put("external_ticket_id", ticket).put("html_url", address);
    return fact;
  }

  private static String bounded(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
  }
}
