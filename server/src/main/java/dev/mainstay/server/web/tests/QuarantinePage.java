package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.tests.Answers.Hidden;
import dev.mainstay.server.web.tests.Answers.QuarantineReport;
import java.util.List;
import java.util.Map;

/** What quarantine hides in a repository, for how long, and whether it was stopped. */
public final class QuarantinePage {
  private static final int MOST = 500;

  private QuarantinePage() {}

  public record Model(Repo repo, Address at, QuarantineReport report) {
    public String tests() {
      return at.tests(repo);
    }

    public String test(Hidden hidden) {
      return at.test(repo, hidden.testId());
    }

    public String settings() {
      return at.settings(repo) + "#tests";
    }

    /** How many tests there are that the page does not name. */
    public int more() {
      return report.quarantined() - report.tests().size();
    }

    /** What quarantine does here by itself. */
    public String rule() {
      if (!report.quarantining()) {
        return "Quarantine is switched off in this repository: failures of every test stop pull"
            + " requests, whatever was decided about it.";
      }
      if (!report.autoQuarantine()) {
        return "Only tests that somebody put into quarantine are in it.";
      }
      return "Flaky and broken tests are quarantined by themselves, %s."
          .formatted(
              report
                  .quarantineCap()
                  .map("at most %d of them: more would switch that off"::formatted)
                  .orElse("any number of them"));
    }
  }

  static Reply show(Visit visit) {
    Repo repo = visit.repo();
    QuarantineReport report =
        visit.ask(
            "/v1/tests/quarantine-report",
            Map.of("repo", repo.asked(), "take", MOST),
            QuarantineReport.class);
    var model = new Model(repo, visit.address(), report);
    var crumbs =
        List.of(
            new Frame.Crumb("Tests", model.tests()),
            new Frame.Crumb("Quarantine", visit.address().quarantine(repo)));
    return visit.page(
        "quarantine",
        visit.frame("Quarantine · " + repo.text(), repo, model.tests(), crumbs),
        model);
  }
}
