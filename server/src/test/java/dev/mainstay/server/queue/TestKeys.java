package dev.mainstay.server.queue;

import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Keys beside the first one of a node. */
public record TestKeys(Database.Address address) {

  /** A key of the node's own organization that may do this alone. */
  public String with(Scope... scopes) {
    return make(access -> access.organization("default").orElseThrow(), scopes);
  }

  /** A key of another organization that may do everything there. */
  public String foreign() {
    return make(
        access ->
            access
                .organization("others")
                .or(() -> access.createOrganization("others", "Others"))
                .orElseThrow(),
        Scope.ADMIN);
  }

  private String make(Function<Access, Organization> owner, Scope... scopes) {
    try (var database = Database.connect(address, 2)) {
      var access = new Access(database, Clock.systemUTC());
      Organization organization = owner.apply(access);
      var made =
          access.createKey(
              organization.id(), organization.slug(), "test", Set.of(scopes), Optional.empty());
      return ((Access.Outcome.Made) made).made().token().text();
    }
  }
}
