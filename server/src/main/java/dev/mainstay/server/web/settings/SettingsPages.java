package dev.mainstay.server.web.settings;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.page.Entrance;
import dev.mainstay.server.web.page.Visit;
import java.util.List;
import java.util.Optional;

/** The addresses of settings. */
public final class SettingsPages {
  private static final String ORGANIZATION = "/{org}/settings";
  private static final String REPOSITORY = "/{org}/{repo...}/settings";

  private final RepositoryPage repository;
  private final QueuePage queue;
  private final MonitorPage monitor;
  private final OrganizationPage organization;
  private final WebhookPage webhook;

  public SettingsPages(Description description) {
    this.repository = new RepositoryPage(description);
    this.queue = new QueuePage(description);
    this.monitor = new MonitorPage(description);
    this.organization = new OrganizationPage(description);
    this.webhook = new WebhookPage(description);
  }

  public List<Route> routes(Entrance entrance) {
    return List.of(
        entrance.page(REPOSITORY, this::show),
        entrance.action(REPOSITORY + "/connection", repository::connection),
        entrance.action(REPOSITORY + "/queue", queue::act),
        entrance.action(REPOSITORY + "/monitor", monitor::act),
        entrance.action(REPOSITORY + "/tests", repository::tests),
        entrance.action(REPOSITORY + "/pages", RepositoryPage::pages),
        entrance.page(ORGANIZATION, this::showOrganization),
        entrance.action(ORGANIZATION, organization::save),
        entrance.action(ORGANIZATION + "/keys", organization::keys),
        entrance.action(ORGANIZATION + "/people", OrganizationPage::people),
        entrance.action(ORGANIZATION + "/webhooks", webhook::act),
        entrance.action(ORGANIZATION + "/repositories", organization::connect));
  }

  /** All settings of a repository, or those of one queue or monitor. */
  private Reply show(Visit visit) {
    if (visit.visitor().isEmpty()) {
      return Reply.see("/sign-in");
    }
    if (visit.query("monitor").isPresent()) {
      return monitor.show(visit, visit.query("monitor").get());
    }
    Optional<String> branch = visit.query("queue");
    boolean makes = visit.query("new").isPresent() && visit.may(Scope.QUEUE);
    if (branch.isPresent() || makes) {
      return queue.show(visit, branch);
    }
    return repository.show(visit);
  }

  /** The settings of the organization, or one endpoint for events. */
  private Reply showOrganization(Visit visit) {
    Optional<String> id = visit.query("webhook").filter(i -> visit.may(Scope.ADMIN));
    return id.map(i -> webhook.show(visit, i)).orElseGet(() -> organization.show(visit));
  }
}
