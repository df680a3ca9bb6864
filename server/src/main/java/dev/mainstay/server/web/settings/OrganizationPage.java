package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.description.Property;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.settings.Answers.Connected;
import dev.mainstay.server.web.settings.Answers.NewKey;
import dev.mainstay.server.web.settings.Answers.People;
import dev.mainstay.server.web.settings.Fault.MaybeRead;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The settings of the organization: its name, its keys, who comes, and who is told of events. */
public final class OrganizationPage {
  private static final String SET = "/v1/organization/set";

  private final Description description;

  OrganizationPage(Description description) {
    this.description = description;
  }

  /** The page; what somebody may not see is there with the API's own words for that. */
  public record Model(
      String slug,
      List<Field> fields,
      List<String> features,
      MaybeRead<List<Answers.Key>> keys,
      MaybeRead<People> people,
      MaybeRead<List<WebhookAnswers.Webhook>> webhooks,
      List<String> scopes,
      ConnectionForm connection,
      Address at,
      Optional<Fault> fault) {
    public String here() {
      return at.settings();
    }
  }

  Reply show(Visit visit) {
    return show(visit, Optional.empty(), Optional.empty());
  }

  private Reply show(Visit visit, Optional<Form> typed, Optional<Fault> fault) {
    JsonNode now = visit.api().post(visit.caller(), "/v1/organization/get", Map.of());
    Map<String, ?> more = visit.query("cursor").map(c -> Map.of("cursor", c)).orElseGet(Map::of);
    var model =
        new Model(
            now.path("slug").asString(),
            Field.of(fields(), now, typed),
            now.path("features").valueStream().map(JsonNode::asString).toList(),
            MaybeRead.of(() -> visit.ask("/v1/keys/list", Map.of(), Answers.Keys.class).keys()),
            MaybeRead.of(() -> visit.ask("/v1/people/list", more, People.class)),
            MaybeRead.of(() -> WebhookPage.all(visit)),
            List.of(Scope.values()).stream().map(Scope::label).toList(),
            ConnectionForm.of(description, Optional.empty(), typed),
            visit.address(),
            fault);
    var crumbs = List.of(new Frame.Crumb("Organization", visit.address().settings()));
    return visit.page("settings-organization", visit.frame("Organization", crumbs), model);
  }

  /** The slug never changes, and features are the operator's. */
  private List<Property> fields() {
    return description.fields(SET).stream()
        .filter(p -> !p.name().equals("slug") && !p.name().equals("features"))
        .toList();
  }

  Reply save(Visit visit, Form form) {
    return Fault.or(
        () -> {
          visit.act(SET, Field.changed(fields(), form));
          return Visit.back(visit.address().settings(), Notice.SAVED);
        },
        fault -> show(visit, Optional.of(form), Optional.of(fault)));
  }

  Reply keys(Visit visit, Form form) {
    return Fault.or(
        () ->
            switch (form.needed("do")) {
              case "create" ->
                  OncePage.key(visit, visit.ask("/v1/keys/create", made(form), NewKey.class));
              case "rotate" -> {
                var body = new LinkedHashMap<String, Object>();
                body.put("id", form.needed("id"));
                form.number("graceSeconds").ifPresent(grace -> body.put("graceSeconds", grace));
                yield OncePage.key(visit, visit.ask("/v1/keys/rotate", body, NewKey.class));
              }
              case "revoke" -> {
                visit.act("/v1/keys/revoke", Map.of("id", form.needed("id")));
                yield Visit.back(visit.address().settings(), Notice.REVOKED);
              }
              default -> throw Visit.nothingHere();
            },
        fault -> show(visit, Optional.of(form), Optional.of(fault)));
  }

  private static Map<String, Object> made(Form form) {
    var body = new LinkedHashMap<String, Object>();
    body.put("name", form.needed("keyName"));
    List<String> scopes =
        List.of(Scope.values()).stream()
            .map(Scope::label)
            .filter(scope -> form.isTicked("scope_" + scope))
            .toList();
    if (!scopes.isEmpty()) {
      body.put("scopes", scopes);
    }
    form.text("expires").ifPresent(day -> body.put("expiresAt", day + "T23:59:59Z"));
    return body;
  }

  static Reply people(Visit visit, Form form) {
    var who = new LinkedHashMap<String, Object>();
    form.text("person_id").ifPresent(id -> who.put("person_id", id));
    form.text("key_id").ifPresent(id -> who.put("key_id", id));
    visit.act("/v1/people/sign-out", who);
    return Visit.back(visit.address().settings(), Notice.SIGNED_OUT);
  }

  /** Connects a repository that may be new. */
  Reply connect(Visit visit, Form form) {
    return Fault.or(
        () -> {
          Repo repo =
              Repo.of(form.needed("repo"))
                  .orElseThrow(
                      () ->
                          ApiError.invalid(
                              List.of(new ApiError.Fault("repo", "must be host/owner/name"))));
          var body = Form.body(Map.of("repo", repo.asked()), ConnectionForm.body(form));
          return OncePage.connected(
              visit, repo, visit.ask("/v1/connectRepository", body, Connected.class));
        },
        fault -> show(visit, Optional.of(form), Optional.of(fault)));
  }
}
