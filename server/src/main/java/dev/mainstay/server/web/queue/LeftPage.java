package dev.mainstay.server.web.queue;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.queue.Answers.PullRequest;
import dev.mainstay.server.web.queue.Answers.PullRequests;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pull requests behind a bar: those that left in a stretch of time for a reason. */
public final class LeftPage {
  private static final int MOST = 100;
  private static final Map<String, String> FIELDS =
      Map.of("reason", "reasonCode", "since", "since", "until", "until", "cursor", "cursor");

  private LeftPage() {}

  public record Model(
      List<PullRequest> pullRequests, String about, Optional<String> next, String queue) {
    public String href(PullRequest pr) {
      return queue + "/pulls/" + pr.prNumber();
    }
  }

  static Reply show(Visit visit) {
    var asked = new LinkedHashMap<>(QueuePage.asked(visit));
    asked.put("take", MOST);
    FIELDS.forEach((name, field) -> visit.query(name).ifPresent(text -> asked.put(field, text)));
    var answer = visit.ask("/v1/listPullRequests", asked, PullRequests.class);
    String health = visit.address().health(visit.repo(), visit.branch());
    String about = visit.query("reason").map(r -> r.replace('_', ' ')).orElse("any reason");
    var model =
        new Model(
            answer.pullRequests(),
            about,
            answer.nextCursor().map(cursor -> next(visit, health, cursor)),
            visit.address().queue(visit.repo(), visit.branch()));
    var crumbs =
        List.of(new Frame.Crumb("Health", health), new Frame.Crumb("Left", health + "/left"));
    return visit.page("left", QueuePage.frame(visit, visit.branch(), crumbs), model);
  }

  private static String next(Visit visit, String health, String cursor) {
    var address = new StringBuilder(health).append("/left?cursor=").append(Address.encoded(cursor));
    for (String name : List.of("reason", "since", "until")) {
      visit
          .query(name)
          .ifPresent(t -> address.append('&').append(name).append('=').append(Address.encoded(t)));
    }
    return address.toString();
  }
}
