package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.plot.PhaseStrip;
import dev.mainstay.server.web.tests.Answers.Days;
import dev.mainstay.server.web.tests.Answers.Dossier;
import dev.mainstay.server.web.tests.Answers.Group;
import dev.mainstay.server.web.tests.Answers.Run;
import dev.mainstay.server.web.tests.Answers.Runs;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A test: what is the matter with it and since when, and all that this rests on. */
public final class TestPage {
  private static final int RUNS = 100;
  private static final int DAYS = 30;

  private TestPage() {}

  public record Model(
      Repo repo,
      Address at,
      Dossier dossier,
      Matter matter,
      Runs past,
      boolean isNewest,
      DayBars days,
      RateScale scale,
      String left,
      String right,
      Optional<Stacks> stacks) {
    public String here() {
      return at.test(repo, dossier.test().id());
    }

    /** Where a run is told of: by CI, or by the upload it came with. */
    public String href(Run run) {
      return Names.web(run.ciUrl()).orElseGet(() -> at.upload(repo, run.uploadId()));
    }

    /** The runs as people read time: the newest last. */
    public List<Run> strip() {
      return past.runs().reversed();
    }

    public Optional<String> older() {
      return past.before().map(before -> here() + "?before=" + Address.encoded(before) + "#runs");
    }

    /** Two groups that are compared, from a link at the first of them. */
    public String compare(Group one, Group other) {
      return "%s?left=%s&right=%s#failures".formatted(here(), one.key(), other.key());
    }

    /** The picture of its change points; each leads to the words below it. */
    public PhaseStrip phases() {
      return new PhaseStrip(
          "How often it failed, from change to change",
          dossier.flakiness().phases().stream()
              .map(
                  p ->
                      new PhaseStrip.Phase(
                          Instant.parse(p.from()),
                          Instant.parse(p.to()),
                          (double) p.failures() / Math.max(1, p.runs()),
                          p.began().orElse(""),
                          "#" + p.anchor()))
              .toList());
    }

    public String setting() {
      return dossier.quarantineOverride().map(Answers.Decision::setting).orElse("NONE");
    }

    /** Whether its failures stop anybody, and why. */
    public String stops() {
      var test = dossier.test();
      if (test.quarantined()) {
        return "Quarantined: its failures stop nobody.";
      }
      if (setting().equals("ALWAYS_QUARANTINE")) {
        return "Somebody put it into quarantine, but quarantine is switched off in this"
            + " repository's settings: its failures stop pull requests.";
      }
      return test.status().value().equals("healthy")
          ? "If it fails, it stops the pull request it fails on."
          : "Not quarantined: its failures stop pull requests.";
    }

    /** The ticket's page here, where the address of the ticket lets us know its id. */
    public Optional<String> ticketPage() {
      return dossier.test().ticket().flatMap(link -> Names.ticket(link.htmlUrl())).map(at::ticket);
    }
  }

  static Reply show(Visit visit) {
    Repo repo = visit.repo();
    Map<String, Object> asked = asked(visit);
    Dossier dossier = visit.ask("/v1/tests/show", asked, Dossier.class);
    var askedRuns = new LinkedHashMap<>(asked);
    askedRuns.put("take", RUNS);
    visit.query("before").ifPresent(before -> askedRuns.put("before", before));
    var askedDays = new LinkedHashMap<>(asked);
    askedDays.put("days", DAYS);
    String left = visit.query("left").orElse("");
    String right = visit.query("right").orElse("");
    var model =
        new Model(
            repo,
            visit.address(),
            dossier,
            Matter.of(dossier),
            visit.ask("/v1/tests/runs", askedRuns, Runs.class),
            visit.query("before").isEmpty(),
            DayBars.of(visit.ask("/v1/tests/days", askedDays, Days.class).days()),
            RateScale.of(dossier.flakiness()),
            left,
            right,
            Stacks.of(dossier.failures(), left, right));
    return visit.page("test", frame(visit, model), model);
  }

  static Map<String, Object> asked(Visit visit) {
    return Map.of("repo", visit.repo().asked(), "test_id", PathIds.of(visit, "test"));
  }

  private static Frame frame(Visit visit, Model model) {
    String tests = visit.address().tests(visit.repo());
    String name = Names.title(model.dossier().test().name());
    return visit.frame(
        name + " · " + visit.repo().text(),
        visit.repo(),
        tests,
        List.of(new Frame.Crumb("Tests", tests), new Frame.Crumb(name, model.here())));
  }
}
