package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.tests.Answers.Linked;
import dev.mainstay.server.web.tests.Answers.Ticket;
import dev.mainstay.server.web.tests.Answers.TicketTests;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A ticket of another system: the tests that are linked to it, and whether it is closed. */
public final class TicketPage {
  private static final Pattern ID = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}-[0-9]{1,18}");

  private TicketPage() {}

  public record Model(Ticket ticket, List<Linked> tests, Address at) {
    public boolean isClosed() {
      return ticket.state().filter("CLOSED"::equals).isPresent();
    }

    public String here() {
      return at.ticket(ticket.id());
    }

    /** The ticket in its own system; absent where this page is all there is. */
    public Optional<String> elsewhere() {
      return Names.web(Optional.of(ticket.htmlUrl())).filter(url -> !url.endsWith(here()));
    }
  }

  private static String id(Visit visit) {
    String id = visit.request().path("ticket");
    if (!ID.matcher(id).matches()) {
      throw Visit.nothingHere();
    }
    return id;
  }

  static Reply show(Visit visit) {
    String id = id(visit);
    var answer = visit.ask("/v1/tickets/get", Map.of("external_ticket_id", id), TicketTests.class);
    var model = new Model(answer.ticket(), answer.tests(), visit.address());
    return visit.page(
        "ticket", visit.frame(id, List.of(new Frame.Crumb("Ticket " + id, model.here()))), model);
  }

  static Reply act(Visit visit, Form form) {
    String id = id(visit);
    visit.act("/v1/tickets/set", Map.of("external_ticket_id", id, "state", form.needed("state")));
    return Visit.back(visit.address().ticket(id), Notice.TICKET);
  }
}
