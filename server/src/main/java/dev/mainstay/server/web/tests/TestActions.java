package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Visit;
import java.util.LinkedHashMap;
import java.util.Map;

/** The actions on the page of a test. */
final class TestActions {
  private TestActions() {}

  static Reply act(Visit visit, Form form) {
    String test = PathIds.of(visit, "test");
    Notice notice =
        switch (form.needed("do")) {
          case "quarantine" -> {
            Map<String, Object> asked = Quarantining.asked(visit, form);
            asked.put("test_id", test);
            visit.act("/v1/tests/quarantine", asked);
            yield Notice.QUARANTINED;
          }
          case "ticket" -> {
            visit.act(
                "/v1/flaky-tests/link-ticket-to-test-case",
                Map.of(
                    "repo", visit.repo().asked(),
                    "test_case_id", test,
                    "external_ticket_id", form.needed("ticket")));
            yield Notice.LINKED;
          }
          case "mute" -> {
            var asked = mute(visit, form);
            asked.put("until", Quarantining.endOf(form.needed("until")));
            visit.act("/v1/monitors/mute", asked);
            yield Notice.MUTED;
          }
          case "unmute" -> {
            visit.act("/v1/monitors/mute", mute(visit, form));
            yield Notice.UNMUTED;
          }
          default -> throw Visit.nothingHere();
        };
    return Visit.back(visit.address().test(visit.repo(), test), notice);
  }

  private static Map<String, Object> mute(Visit visit, Form form) {
    var asked = new LinkedHashMap<>(TestPage.asked(visit));
    asked.put("monitor_id", form.needed("monitor"));
    Quarantining.by(visit, asked);
    return asked;
  }
}
