package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.description.Property;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.settings.Answers.Connected;
import dev.mainstay.server.web.settings.Answers.Connection;
import dev.mainstay.server.web.settings.Answers.Monitor;
import dev.mainstay.server.web.settings.Fault.MaybeRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The settings of a repository: connection, queues, monitors, tests, and who may look. */
public final class RepositoryPage {
  private static final String TEST_SETTINGS = "/v1/repositories/set-test-settings";
  private static final int MOST_QUEUES = 100;

  private final Description description;

  RepositoryPage(Description description) {
    this.description = description;
  }

  /** The page; {@code checked} is there where the connection was just checked. */
  public record Model(
      Repo repo,
      Address at,
      MaybeRead<Optional<Connection>> connection,
      ConnectionForm form,
      Optional<Connected> checked,
      List<Answers.Queue> queues,
      MaybeRead<List<Monitor>> monitors,
      List<String> kinds,
      MaybeRead<TestSettings> tests,
      boolean publicPages,
      Optional<Fault> fault) {
    public String here() {
      return at.settings(repo);
    }

    /** Where is told what quarantine hides. */
    public String quarantine() {
      return at.quarantine(repo);
    }
  }

  /** The settings of tests; {@code stopped} says why automatic quarantining was switched off. */
  public record TestSettings(List<Field> fields, Optional<String> stopped) {}

  Reply show(Visit visit) {
    return show(visit, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private Reply show(
      Visit visit, Optional<Connected> checked, Optional<Form> typed, Optional<Fault> fault) {
    Repo repo = visit.repo();
    var asked = Map.of("repo", repo.asked());
    Answers.Repository known =
        visit
            .ask("/v1/repositories/list", asked, Answers.Repositories.class)
            .repositories()
            .stream()
            .findFirst()
            .orElseThrow(Visit::nothingHere);
    MaybeRead<Optional<Connection>> connection = MaybeRead.of(() -> connection(visit, asked));
    var model =
        new Model(
            repo,
            visit.address(),
            connection,
            ConnectionForm.of(description, connection.value().flatMap(c -> c), typed),
            checked,
            visit
                .ask(
                    "/v1/listQueues",
                    Form.body(asked, Map.of("take", MOST_QUEUES)),
                    Answers.Queues.class)
                .queues(),
            MaybeRead.of(() -> monitors(visit, asked)),
            kinds(description),
            MaybeRead.of(() -> tests(visit, asked, typed)),
            known.publicPages(),
            fault);
    return visit.page("settings", frame(visit, List.of()), model);
  }

  static Frame frame(Visit visit, List<Frame.Crumb> more) {
    Repo repo = visit.repo();
    String here = visit.address().settings(repo);
    var crumbs = new ArrayList<>(List.of(new Frame.Crumb("Settings", here)));
    crumbs.addAll(more);
    return visit.frame(crumbs.getLast().text() + " · " + repo.text(), repo, here, crumbs);
  }

  private static Optional<Connection> connection(Visit visit, Map<String, ?> asked) {
    try {
      return Optional.of(visit.ask("/v1/getRepositoryConnection", asked, Connection.class));
    } catch (ApiError e) {
      if (e.status() == 404) {
        return Optional.empty();
      }
      throw e;
    }
  }

  static List<Monitor> monitors(Visit visit, Map<String, ?> asked) {
    return visit.ask("/v1/monitors/list", asked, Answers.Monitors.class).monitors().stream()
        .map(Monitor::new)
        .toList();
  }

  private TestSettings tests(Visit visit, Map<String, ?> asked, Optional<Form> typed) {
    var now =
        visit.ask("/v1/repositories/get-test-settings", asked, Answers.Settings.class).settings();
    return new TestSettings(
        Field.of(testFields(), now, typed),
        now.at("/auto_quarantine_stopped/reason").asStringOpt());
  }

  private List<Property> testFields() {
    return description.fields(TEST_SETTINGS).stream()
        .filter(p -> !p.name().startsWith("repo"))
        .toList();
  }

  private static Map<String, Object> asked(Visit visit) {
    return Map.of("repo", visit.repo().asked());
  }

  /** Connects, checks, makes a new secret, disconnects. */
  Reply connection(Visit visit, Form form) {
    String here = visit.address().settings(visit.repo());
    return Fault.or(
        () ->
            switch (form.needed("do")) {
              case "connect" -> {
                var body = Form.body(asked(visit), ConnectionForm.body(form));
                Connected made = visit.ask("/v1/connectRepository", body, Connected.class);
                yield OncePage.connected(visit, visit.repo(), made);
              }
              case "check" -> {
                Connected found = visit.ask("/v1/checkRepository", asked(visit), Connected.class);
                yield show(visit, Optional.of(found), Optional.empty(), Optional.empty());
              }
              case "rotate" ->
                  OncePage.rotated(
                      visit, visit.ask("/v1/rotateHookSecret", asked(visit), Connected.class));
              case "disconnect" -> {
                visit.act("/v1/disconnectRepository", asked(visit));
                yield Visit.back(here, Notice.DISCONNECTED);
              }
              default -> throw Visit.nothingHere();
            },
        fault -> show(visit, Optional.empty(), Optional.of(form), Optional.of(fault)));
  }

  Reply tests(Visit visit, Form form) {
    return Fault.or(
        () -> {
          visit.act(TEST_SETTINGS, Form.body(asked(visit), Field.changed(testFields(), form)));
          return Visit.back(visit.address().settings(visit.repo()), Notice.SAVED);
        },
        fault -> show(visit, Optional.empty(), Optional.of(form), Optional.of(fault)));
  }

  static Reply pages(Visit visit, Form form) {
    boolean open = form.needed("public_pages").equals("true");
    visit.act("/v1/repositories/set", Form.body(asked(visit), Map.of("public_pages", open)));
    return Visit.back(visit.address().settings(visit.repo()), Notice.SAVED);
  }

  /** The kinds of monitors that one can make. */
  static List<String> kinds(Description description) {
    return description.fields("/v1/monitors/create").stream()
        .filter(f -> f.name().equals("kind"))
        .findFirst()
        .orElseThrow()
        .type()
        .choices();
  }
}
