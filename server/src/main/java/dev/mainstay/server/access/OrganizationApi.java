package dev.mainstay.server.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The organization of the key that asks. An answer may be sent back as it is: the slug and the
 * features are taken where they say what holds already, and refused where they do not.
 */
public final class OrganizationApi {
  private static final int MAX_SLUG_LENGTH = 63;
  private static final int MAX_TICKET_URL_LENGTH = 2000;
  private static final int MAX_FEATURES = 100;
  private static final int MAX_RETENTION_DAYS = Organization.RETENTION_DAYS.getLast();

  private final Access access;

  public OrganizationApi(Access access) {
    this.access = access;
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/organization/get", Scope.READ, this::get),
        Route.post("/v1/organization/set", Scope.ADMIN, this::set));
  }

  record WireOrganization(
      String slug,
      String name,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> ticketUrl,
      int retentionDays,
      List<String> features) {
    static WireOrganization of(OrganizationSettings settings) {
      return new WireOrganization(
          settings.slug(),
          settings.name(),
          settings.ticketUrl(),
          settings.retentionDays(),
          settings.features());
    }
  }

  private Reply get(Request request) {
    request.fields().check();
    return Reply.json(WireOrganization.of(access.settings(request.caller().organizationId())));
  }

  private Reply set(Request request) {
    long id = request.caller().organizationId();
    var in = request.fields();
    var name = in.optionalText("name", Organization.MAX_NAME_LENGTH);
    var ticketUrl = ticketUrl(in);
    var retentionDays = retentionDays(in);
    checkFixed(in, access.settings(id));
    in.check();
    return Reply.json(WireOrganization.of(access.change(id, name, ticketUrl, retentionDays)));
  }

  /** An empty text takes the address away. */
  private static Optional<String> ticketUrl(Fields in) {
    if (in.says("ticketUrl", "")) {
      return Optional.of("");
    }
    var url = in.optionalText("ticketUrl", MAX_TICKET_URL_LENGTH);
    if (url.filter(u -> !u.matches(Organization.TICKET_URL)).isPresent()) {
      in.fault("ticketUrl", "must be an http or https address with {id} in it, or empty");
    }
    return url;
  }

  private static Optional<Integer> retentionDays(Fields in) {
    var days = in.optionalInteger("retentionDays", 1, MAX_RETENTION_DAYS);
    if (days.filter(d -> !Organization.RETENTION_DAYS.contains(d)).isPresent()) {
      in.fault("retentionDays", "must be 30, 90, 365 or 1095");
    }
    return days;
  }

  private static void checkFixed(Fields in, OrganizationSettings now) {
    var slug = in.optionalText("slug", MAX_SLUG_LENGTH);
    if (slug.filter(s -> !s.equalsIgnoreCase(now.slug())).isPresent()) {
      in.fault("slug", "cannot change: the ids of all tests are made of it");
    }
    var features = in.optionalTexts("features", MAX_FEATURES, Organization.MAX_NAME_LENGTH);
    if (features.filter(f -> !f.equals(new HashSet<>(now.features()))).isPresent()) {
      in.fault("features", "are switched by the operator: mainstay org set");
    }
  }
}
