package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.tests.Answers.Counts;
import dev.mainstay.server.web.tests.Answers.Test;
import dev.mainstay.server.web.tests.Answers.Tests;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tests of a repository, narrowed down, and many of them put into quarantine at once. */
public final class TestsPage {
  static final String USUAL_ORDER = "failed_last";
  private static final int MOST = 100;
  private static final String TICK = "test:";

  private TestsPage() {}

  public record Model(
      Repo repo,
      Address at,
      Filters filters,
      Counts counts,
      List<Test> tests,
      Optional<String> after) {
    public String here() {
      return at.tests(repo);
    }

    /** Where is told what quarantine hides. */
    public String quarantine() {
      return at.quarantine(repo);
    }

    /** The same list, narrowed otherwise. */
    public String narrowed(String name, String value) {
      return filters.with(name, value).at(here());
    }

    public String narrowed() {
      return filters.at(here());
    }

    /** The address of the page after this one. */
    public Optional<String> next() {
      String all = filters.at(here());
      return after.map(a -> all + (all.contains("?") ? "&" : "?") + "after=" + Address.encoded(a));
    }

    public String tick(Test test) {
      return TICK + test.id();
    }
  }

  static Reply show(Visit visit) {
    Repo repo = visit.repo();
    Filters filters = Filters.of(visit);
    var asked = new LinkedHashMap<>(filters.asked());
    asked.put("repo", repo.asked());
    asked.put("take", MOST);
    visit.query("after").ifPresent(after -> asked.put("after", after));
    Tests tests = visit.ask("/v1/tests/list", asked, Tests.class);
    var model =
        new Model(repo, visit.address(), filters, tests.counts(), tests.tests(), tests.after());
    return visit.page(
        "tests",
        visit.frame("Tests · " + repo.text(), repo, visit.address().tests(repo), List.of()),
        model);
  }

  static Reply quarantine(Visit visit, Form form) {
    List<String> tests = form.ticked(TICK);
    if (tests.isEmpty()) {
      throw ApiError.invalid(List.of(new ApiError.Fault("tests", "choose at least one")));
    }
    Map<String, Object> asked = Quarantining.asked(visit, form);
    asked.put("test_ids", tests);
    visit.act("/v1/tests/quarantine", asked);
    String here = visit.address().tests(visit.repo());
    return Visit.back(Filters.of(visit).at(here), Notice.QUARANTINED);
  }
}
