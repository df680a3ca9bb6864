package dev.mainstay.cli.doctor;

import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.Stall;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.queue.Queues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Queues that do not move, and why. */
final class QueuesLook {
  private static final int PAGE = 200;

  private QueuesLook() {}

  static List<Finding> findings(Scene scene) {
    var findings = new ArrayList<Finding>();
    int queues = 0;
    for (Organization organization : scene.organizations()) {
      Optional<Queues.Place> after = Optional.of(new Queues.Place("", ""));
      while (after.isPresent()) {
        Optional<Queues.ListedPage> page =
            scene.rooms().queues().list(organization.id(), Optional.empty(), after.get(), PAGE);
        List<Queues.Listed> listed = page.map(Queues.ListedPage::queues).orElse(List.of());
        queues += listed.size();
        listed.forEach(one -> look(organization, one, findings));
        after = page.flatMap(Queues.ListedPage::last);
      }
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.good(
              queues == 0
                  ? "There are no queues."
                  : "None of %d queues is paused or stalls.".formatted(queues)));
    }
    return findings;
  }

  private static void look(Organization organization, Queues.Listed one, List<Finding> findings) {
    String name =
        "The queue of %s for %s (%s)"
            .formatted(one.repo(), one.queue().branch(), organization.slug());
    Optional<Stall> stall = one.queue().stall();
    if (stall.isPresent()) {
      findings.add(
          Finding.missing(
              "%s has not moved since %s.".formatted(name, stall.get().since()),
              stall.get().sentence()));
    } else if (one.queue().state() == QueueLifecycle.PAUSED) {
      findings.add(
          Finding.advice(
              "%s is paused, with %d pull requests in it."
                  .formatted(name, one.queue().pullRequests().size()),
              "`mainstay queue resume --repo %s --branch %s` lets it go on, when the reason is gone."
                  .formatted(one.repo(), one.queue().branch())));
    }
    one.queue()
        .warnings()
        .forEach(warning -> findings.add(Finding.advice("%s: %s".formatted(name, warning), "")));
  }
}
