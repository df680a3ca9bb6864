package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.description.Property;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.settings.Answers.Monitor;
import dev.mainstay.server.web.settings.Answers.Preview;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A monitor, old or new, with what it would say of the tests before it is saved. */
public final class MonitorPage {
  private static final String CREATE = "/v1/monitors/create";
  private static final Set<String> OF_ALL = Set.of("name", "enabled");

  private final Description description;

  MonitorPage(Description description) {
    this.description = description;
  }

  /** The page; without an id, of a monitor that is to be made. */
  public record Model(
      Optional<String> id,
      String kind,
      String name,
      List<Field> fields,
      Optional<Preview> preview,
      String here,
      String action,
      Optional<Fault> fault,
      Address at,
      Repo repo) {}

  Reply show(Visit visit, String id) {
    if (!id.equals("new")) {
      return show(visit, monitor(visit, id), Optional.empty(), Optional.empty(), Optional.empty());
    }
    String kind = visit.query("kind").orElse("");
    return show(visit, fresh(kind), Optional.empty(), Optional.empty(), Optional.empty());
  }

  private Monitor fresh(String kind) {
    if (!RepositoryPage.kinds(description).contains(kind)) {
      throw Visit.nothingHere();
    }
    var now = Json.object();
    now.put("kind", kind);
    now.put("enabled", true);
    return new Monitor(now);
  }

  private static Monitor monitor(Visit visit, String id) {
    return RepositoryPage.monitors(visit, Map.of("repo", visit.repo().asked())).stream()
        .filter(m -> m.id().equals(id))
        .findFirst()
        .orElseThrow(Visit::nothingHere);
  }

  private Reply show(
      Visit visit,
      Monitor monitor,
      Optional<Form> typed,
      Optional<Preview> preview,
      Optional<Fault> fault) {
    String settings = visit.address().settings(visit.repo());
    Optional<String> id = Optional.of(monitor.id()).filter(i -> !i.isEmpty());
    var model =
        new Model(
            id,
            monitor.kind(),
            monitor.name(),
            Field.of(fields(monitor.kind()), monitor.all(), typed),
            preview,
            settings,
            settings + "/monitor",
            fault,
            visit.address(),
            visit.repo());
    String name = id.isPresent() ? monitor.name() : "New monitor";
    return visit.page(
        "settings-monitor",
        RepositoryPage.frame(visit, List.of(new Frame.Crumb(name, settings))),
        model);
  }

  /** The settings of a kind: its description names it. */
  private List<Property> fields(String kind) {
    return description.fields(CREATE).stream()
        .filter(p -> OF_ALL.contains(p.name()) || p.description().contains(kind))
        .filter(p -> !p.name().startsWith("repo") && !p.name().equals("kind"))
        .toList();
  }

  Reply act(Visit visit, Form form) {
    String settings = visit.address().settings(visit.repo());
    Monitor monitor =
        form.text("monitor_id")
            .map(id -> monitor(visit, id))
            .orElseGet(() -> fresh(form.text("kind").orElse("")));
    Map<String, Object> which =
        monitor.id().isEmpty()
            ? Map.of("repo", visit.repo().asked(), "kind", monitor.kind())
            : Map.of("repo", visit.repo().asked(), "monitor_id", monitor.id());
    var body = Form.body(which, Field.changed(fields(monitor.kind()), form));
    return Fault.or(
        () ->
            switch (form.needed("do")) {
              case "preview" -> {
                Preview found = visit.ask("/v1/monitors/preview", body, Preview.class);
                yield show(visit, monitor, Optional.of(form), Optional.of(found), Optional.empty());
              }
              case "save" -> {
                visit.act(monitor.id().isEmpty() ? CREATE : "/v1/monitors/set", body);
                yield Visit.back(settings, Notice.SAVED);
              }
              case "enable", "disable" -> {
                boolean on = form.needed("do").equals("enable");
                visit.act("/v1/monitors/set", Form.body(which, Map.of("enabled", on)));
                yield Visit.back(settings, Notice.SAVED);
              }
              case "delete" -> {
                visit.act("/v1/monitors/delete", which);
                yield Visit.back(settings, Notice.SAVED);
              }
              default -> throw Visit.nothingHere();
            },
        fault -> show(visit, monitor, Optional.of(form), Optional.empty(), Optional.of(fault)));
  }
}
