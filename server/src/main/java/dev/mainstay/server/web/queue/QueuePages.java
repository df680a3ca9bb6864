package dev.mainstay.server.web.queue;

import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.web.page.Entrance;
import java.time.Clock;
import java.util.List;

/** The addresses of the pages of queues. */
public final class QueuePages {
  private static final String REPOSITORY = "/{org}/{repo...}";
  private static final String QUEUE = REPOSITORY + "/queues/{branch}";

  private QueuePages() {}

  public static List<Route> routes(Entrance entrance, Clock clock) {
    var health = new HealthPage(clock);
    var whatIf = new WhatIfPage(clock);
    return List.of(
        entrance.shared("/", HomePage::show),
        entrance.shared(REPOSITORY, OverviewPage::show),
        entrance.shared(QUEUE, QueuePage::show),
        entrance.page(QUEUE + "/health", health::show),
        entrance.page(QUEUE + "/health/left", LeftPage::show),
        entrance.page(QUEUE + "/what-if", whatIf::show),
        entrance.action(QUEUE + "/state", QueuePage::switchTo),
        entrance.action(QUEUE + "/submit", QueuePage::submit),
        entrance.shared(QUEUE + "/pulls/{number}", PullRequestPage::show),
        entrance.action(QUEUE + "/pulls/{number}", PullRequestPage::act),
        entrance.shared(REPOSITORY + "/runs/{run}", RunPage::show));
  }
}
