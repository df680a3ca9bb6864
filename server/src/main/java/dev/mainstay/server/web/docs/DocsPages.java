package dev.mainstay.server.web.docs;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.description.Description.Schema;
import dev.mainstay.server.web.description.Description.Tag;
import dev.mainstay.server.web.description.Operation;
import dev.mainstay.server.web.page.Entrance;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Kit;
import dev.mainstay.server.web.page.NeatJson;
import dev.mainstay.server.web.page.Visit;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the API can do, open to everybody: all of it, a group of operations, and all schemas. */
public final class DocsPages {
  private static final Frame.Crumb CRUMB = new Frame.Crumb("Docs", "/docs");

  private final Kit kit;
  private final Entrance entrance;
  private final Content content;

  public DocsPages(Kit kit, Entrance entrance, Description description) {
    this.kit = kit;
    this.entrance = entrance;
    this.content = new Content(description, kit.publicUrl());
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/docs", this::index),
        Route.get("/docs/schemas", this::schemas),
        Route.get("/docs/{group}", this::group));
  }

  /** What the pages have in common. */
  public static final class Content {
    private final Description description;
    private final Curl curl;
    private final Map<String, String> addresses;

    public Content(Description description, URI server) {
      this.description = description;
      this.curl = new Curl(server.toString().replaceFirst("/$", ""));
      this.addresses =
          description.operations().stream()
              .collect(Collectors.toMap(Operation::path, this::href, (first, second) -> first));
    }

    public List<Group> groups() {
      return description.tags().stream()
          .map(tag -> new Group(tag, description.operations(tag)))
          .filter(group -> !group.operations().isEmpty())
          .toList();
    }

    public List<Schema> schemas() {
      return description.schemas();
    }

    /** Where an operation is described. */
    public String href(Operation operation) {
      String slug = new Tag(operation.tag(), "").slug();
      return "/docs/%s#%s".formatted(slug, operation.id());
    }

    public Prose prose(String text) {
      return Prose.of(text, addresses);
    }

    public Prose introduction() {
      return prose(description.introduction());
    }

    public String curl(Operation operation) {
      return curl.of(operation);
    }

    public String example(Operation.Body body) {
      return body.example().map(e -> e.isString() ? e.asString() : NeatJson.of(e)).orElse("");
    }

    /** The first steps: results, a queue, a pull request. */
    public List<Step> start() {
      return List.of(
          step("Send the results of your tests", "/v1/test-results"),
          step("Make a merge queue", "/v1/createQueue"),
          step("Submit a pull request to it", "/v1/submitPullRequest"));
    }

    private Step step(String title, String path) {
      Operation operation = description.operation(path).orElseThrow();
      return new Step(title, operation, curl(operation));
    }
  }

  public record Group(Tag tag, List<Operation> operations) {
    public String href() {
      return "/docs/" + tag.slug();
    }
  }

  public record Step(String title, Operation operation, String command) {}

  /** A group's page, and the way to the others. */
  public record GroupModel(Group group, Content content) {}

  private Reply index(Request request) {
    Frame frame = entrance.openFrame(request, "Docs", List.of(CRUMB));
    return kit.templates().page(request, "docs", frame, content);
  }

  private Reply group(Request request) {
    Optional<Group> group =
        content.groups().stream()
            .filter(g -> g.tag().slug().equals(request.path("group")))
            .findFirst();
    Group found = group.orElseThrow(Visit::nothingHere);
    var crumbs = List.of(CRUMB, new Frame.Crumb(found.tag().name(), found.href()));
    Frame frame = entrance.openFrame(request, found.tag().name() + " · Docs", crumbs);
    return kit.templates().page(request, "docs-group", frame, new GroupModel(found, content));
  }

  private Reply schemas(Request request) {
    var crumbs = List.of(CRUMB, new Frame.Crumb("Schemas", "/docs/schemas"));
    Frame frame = entrance.openFrame(request, "Schemas · Docs", crumbs);
    return kit.templates().page(request, "docs-schemas", frame, content);
  }
}
