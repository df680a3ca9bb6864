package dev.mainstay.server.health.test;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** Tickets of other systems, as far as somebody told of them. */
public final class TicketsApi {
  private static final int MAX_ID_LENGTH = 100;
  private static final String ID_FORM = "[A-Za-z][A-Za-z0-9_]{0,63}-[0-9]{1,18}";
  private static final int MOST_TICKETS = 100_000;
  private static final List<Boolean> CLOSED = List.of(false, true);

  private final Database database;
  private final Clock clock;
  private final Links links;
  private final Runnable onChange;

  /** {@code onChange} wakes whoever ends quarantines with their tickets. */
  public TicketsApi(Database database, Clock clock, Links links, Runnable onChange) {
    this.database = database;
    this.clock = clock;
    this.links = links;
    this.onChange = onChange;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/tickets/set", Scope.QUEUE, this::set));
  }

  @JsonNaming(SnakeCaseStrategy.class)
  record WireTicket(String externalTicketId, String state, String htmlUrl) {}

  /** The id of a ticket that a request names. */
  public static String id(Fields in) {
    String id = in.text("external_ticket_id", MAX_ID_LENGTH);
    if (!id.isEmpty() && !id.matches(ID_FORM)) {
      in.fault("external_ticket_id", "must look like KEY-123");
    }
    return id;
  }

  public static String word(boolean closed) {
    return closed ? "CLOSED" : "OPEN";
  }

  private Reply set(Request request) {
    var in = request.fields();
    String id = id(in);
    if (!in.has("state")) {
      in.fault("state", "is required");
    }
    boolean closed = in.optionalChoice("state", CLOSED, TicketsApi::word).orElse(false);
    in.check();
    long organization = request.caller().organizationId();
    TicketStore.Owner owner =
        database.inTransaction(
            handle -> {
              if (!TicketStore.set(
                  handle, organization, id, closed, clock.instant(), MOST_TICKETS)) {
                throw ApiError.conflict(
                    "too_many_tickets",
                    "The states of %,d tickets are known, and no more are kept."
                        .formatted(MOST_TICKETS));
              }
              return TicketStore.owner(handle, organization);
            });
    onChange.run();
    return Reply.json(
        Map.of(
            "ticket",
            new WireTicket(id, word(closed), links.ticket(owner.slug(), owner.ticketUrl(), id))));
  }
}
