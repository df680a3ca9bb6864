package dev.mainstay.cli.doctor;

import dev.mainstay.server.access.Organization;
import dev.mainstay.server.connection.Checkup;
import dev.mainstay.server.connection.ConnectionView;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.HostUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Where code lives: what was last seen of every repository, and one repository of each host asked
 * now, for an organization, which also tells the host's clock and what it still allows.
 */
final class ForgesLook {
  private static final int PATIENCE_SECONDS = 60;
  private static final int MOST_ASKED = 50;
  private static final Duration ALIKE = Duration.ofSeconds(30);

  private ForgesLook() {}

  private record Question(
      Organization organization,
      String host,
      ConnectionView one,
      FutureTask<Checkup.Checked> answer) {}

  static List<Finding> findings(Scene scene, boolean offline) {
    Checkup checkup = scene.rooms().queues().connections().checkup();
    var findings = new ArrayList<Finding>();
    var questions = new ArrayList<Question>();
    int connected = 0;
    for (Organization organization : scene.organizations()) {
      for (var host : checkup.byHost(organization.id()).entrySet()) {
        connected += host.getValue().size();
        host.getValue().stream()
            .filter(one -> one.fault().isPresent())
            .limit(Scene.MOST_NAMED)
            .forEach(one -> findings.add(lastSeen(organization, one)));
        ConnectionView one = host.getValue().getFirst();
        questions.add(
            new Question(
                organization,
                host.getKey(),
                one,
                new FutureTask<>(() -> checkup.of(organization.id(), one.repo()).orElseThrow())));
      }
    }
    if (!offline) {
      questions.stream().limit(MOST_ASKED).forEach(q -> Thread.startVirtualThread(q.answer()));
      questions.stream().limit(MOST_ASKED).forEach(q -> findings.addAll(asked(q)));
    }
    if (connected == 0) {
      findings.add(Finding.good("No repository is connected."));
    } else if (findings.isEmpty()) {
      findings.add(
          Finding.good(
              "Nothing was wrong with %d connections when last seen.".formatted(connected)));
    }
    return findings;
  }

  private static Finding lastSeen(Organization organization, ConnectionView one) {
    return Finding.missing(
        "%s (%s), last seen %s: %s"
            .formatted(
                one.repo(),
                organization.slug(),
                one.lastSeenAt().map(Object::toString).orElse("never"),
                one.fault().orElse("")),
        "`mainstay repo check --org %s %s` tells more.".formatted(organization.slug(), one.repo()));
  }

  private static List<Finding> asked(Question question) {
    String name =
        "%s (%s) at %s"
            .formatted(
                question.one().repo(),
                question.organization().slug(),
                question.host().isEmpty() ? "this machine" : question.host());
    try {
      Checkup.Checked checked = question.answer().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      var findings = new ArrayList<Finding>();
      checked.findings().stream()
          .filter(finding -> finding.level() != Finding.Level.GOOD)
          .map(
              finding ->
                  new Finding(finding.level(), name + ": " + finding.sentence(), finding.mend()))
          .forEach(findings::add);
      if (findings.isEmpty()) {
        findings.add(Finding.good("%s answers, and all is set up.".formatted(name)));
      }
      checked.usage().ifPresent(usage -> ofHost(question.host(), usage, findings));
      return findings;
    } catch (ExecutionException e) {
      return List.of(
          Finding.missing(
              "%s could not be asked: %s".formatted(name, e.getCause()),
              "`mainstay repo check --org %s %s` tells more."
                  .formatted(question.organization().slug(), question.one().repo())));
    } catch (TimeoutException e) {
      return List.of(
          Finding.missing(
              "%s did not answer within %d s.".formatted(name, PATIENCE_SECONDS),
              "See that this machine reaches it."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static void ofHost(String host, HostUsage usage, List<Finding> findings) {
    if (usage.ahead().abs().compareTo(ALIKE) > 0) {
      findings.add(
          Finding.advice(
              "The clock of %s is %d s %s ours."
                  .formatted(
                      host,
                      usage.ahead().abs().toSeconds(),
                      usage.ahead().isNegative() ? "behind" : "ahead of"),
              "Set this machine's clock, best by NTP, if it is the wrong one."));
    }
    if (usage.limit().isPresent() && usage.remaining().isPresent()) {
      String sentence =
          "%s allows %,d more requests of %,d."
              .formatted(host, usage.remaining().getAsLong(), usage.limit().getAsLong());
      boolean scarce = usage.remaining().getAsLong() * 10 < usage.limit().getAsLong();
      findings.add(
          scarce
              ? Finding.advice(sentence, "What is not urgent waits until it allows more.")
              : Finding.good(sentence));
    }
  }
}
