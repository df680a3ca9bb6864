package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Visit;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields of a decision about quarantine, from the form to the API. */
final class Quarantining {
  private Quarantining() {}

  static Map<String, Object> asked(Visit visit, Form form) {
    var asked = new LinkedHashMap<String, Object>();
    asked.put("repo", visit.repo().asked());
    asked.put("setting", form.needed("setting"));
    form.text("reason").ifPresent(reason -> asked.put("reason", reason));
    form.text("until").ifPresent(day -> asked.put("until", endOf(day)));
    form.number("after_passes").ifPresent(passes -> asked.put("after_passes", passes));
    by(visit, asked);
    return asked;
  }

  /** Says who decides, by the name they signed in with. */
  static void by(Visit visit, Map<String, Object> asked) {
    visit.visitor().ifPresent(visitor -> asked.put("by", visitor.name()));
  }

  /** A day is meant with all of its hours, in UTC. */
  static String endOf(String day) {
    try {
      return LocalDate.parse(day).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().toString();
    } catch (DateTimeParseException e) {
      throw ApiError.invalid(List.of(new ApiError.Fault("until", "must be a day as 2026-12-31")));
    }
  }
}
