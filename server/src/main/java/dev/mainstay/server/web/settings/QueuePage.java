package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.description.Property;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Visit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The settings of a queue, old or new. */
public final class QueuePage {
  private static final String UPDATE = "/v1/updateQueue";
  private static final String STATUSES = "requiredStatuses";
  private static final Set<String> OWN =
      Set.of("repo", "targetBranch", "state", STATUSES, "deleteRequiredStatuses");

  private final Description description;

  QueuePage(Description description) {
    this.description = description;
  }

  /** The page; without a branch, of a queue that is to be made. */
  public record Model(
      Optional<String> branch,
      String typedBranch,
      List<Field> ticks,
      List<Field> fields,
      boolean asForge,
      boolean wasAsForge,
      Field statuses,
      List<String> warnings,
      String here,
      String action,
      Optional<Fault> fault) {}

  Reply show(Visit visit, Optional<String> branch) {
    return show(visit, branch, Optional.empty(), Optional.empty());
  }

  private Reply show(
      Visit visit, Optional<String> branch, Optional<Form> typed, Optional<Fault> fault) {
    JsonNode now = branch.map(b -> queue(visit, b)).orElseGet(this::atFirst);
    List<Field> fields = Field.of(settings(), now, typed);
    boolean wasAsForge = now.path(STATUSES).isNull() || now.path(STATUSES).isMissingNode();
    String settings = visit.address().settings(visit.repo());
    var model =
        new Model(
            branch,
            typed.flatMap(f -> f.text("branch")).orElse("main"),
            fields.stream().filter(f -> f.kind().equals("tick")).toList(),
            fields.stream().filter(f -> !f.kind().equals("tick")).toList(),
            typed.map(f -> f.needed("statuses").equals("forge")).orElse(wasAsForge),
            wasAsForge,
            Field.of(List.of(field(STATUSES)), now, typed).getFirst(),
            now.path("warnings").valueStream().map(JsonNode::asString).toList(),
            settings,
            settings + "/queue",
            fault);
    String name = branch.orElse("New queue");
    return visit.page(
        "settings-queue",
        RepositoryPage.frame(visit, List.of(new Frame.Crumb(name, settings))),
        model);
  }

  /** One that only follows another number is shown as not set. */
  private static JsonNode queue(Visit visit, String branch) {
    var queue = (ObjectNode) visit.api().post(visit.caller(), "/v1/getQueue", asked(visit, branch));
    if (queue.path("bisectionConcurrencyFollows").asBoolean()) {
      queue.remove("bisectionConcurrency");
    }
    return queue;
  }

  private JsonNode atFirst() {
    var defaults = Json.object();
    settings().forEach(s -> s.byDefault().ifPresent(value -> defaults.put(s.name(), value)));
    return defaults;
  }

  /** All that a queue can be set to, as the API takes it. */
  private List<Property> settings() {
    return description.fields(UPDATE).stream()
        .filter(
            p ->
                OWN.stream()
                    .noneMatch(own -> p.name().equals(own) || p.name().startsWith(own + ".")))
        .toList();
  }

  private Property field(String name) {
    return description.fields(UPDATE).stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Object> asked(Visit visit, String branch) {
    return Map.of("repo", visit.repo().asked(), "targetBranch", branch);
  }

  Reply act(Visit visit, Form form) {
    String branch = form.needed("branch");
    String settings = visit.address().settings(visit.repo());
    Map<String, Object> asked = asked(visit, branch);
    boolean isNew = form.needed("do").equals("create");
    return Fault.or(
        () ->
            switch (form.needed("do")) {
              case "create" -> {
                visit.act("/v1/createQueue", Form.body(asked, changed(form, true)));
                yield Visit.back(visit.address().queue(visit.repo(), branch), Notice.CREATED);
              }
              case "save" -> {
                visit.act(UPDATE, Form.body(asked, changed(form, false)));
                yield Visit.back(settings + "?queue=" + Address.encoded(branch), Notice.SAVED);
              }
              case "delete" -> {
                visit.act("/v1/deleteQueue", asked);
                yield Visit.back(settings, Notice.DELETED);
              }
              default -> throw Visit.nothingHere();
            },
        fault ->
            show(
                visit,
                isNew ? Optional.empty() : Optional.of(branch),
                form.text("statuses").map(s -> form),
                Optional.of(fault)));
  }

  private Map<String, Object> changed(Form form, boolean isNew) {
    var changed = new LinkedHashMap<>(Field.changed(settings(), form));
    boolean asForge = form.needed("statuses").equals("forge");
    boolean wasAsForge = form.text("was:statuses").orElse("forge").equals("forge");
    if (asForge && !wasAsForge && !isNew) {
      changed.put("deleteRequiredStatuses", true);
    }
    boolean otherLines = !form.lines(STATUSES).equals(form.lines("was:" + STATUSES));
    if (!asForge && (wasAsForge || otherLines)) {
      changed.put(STATUSES, form.lines(STATUSES));
    }
    return changed;
  }
}
