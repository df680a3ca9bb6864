package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.RefNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What the protection of a target branch means for us, and whether CI tests what we build. */
record Protection(GitHubClient client, Required required, String branch) {
  private static final String BYPASS =
      "Add Mainstay to the bypass list of the ruleset, with the mode Always: who may bypass cannot"
          + " be read from here.";

  List<Finding> findings() {
    var findings = new ArrayList<Finding>();
    Set<String> rules =
        required.rules(branch).stream()
            .map(r -> r.path("type").asString(""))
            .collect(Collectors.toSet());
    pushes(findings, rules);
    checks(findings);
    return findings;
  }

  private void pushes(List<Finding> findings, Set<String> rules) {
    if (rules.contains("merge_queue")) {
      findings.add(
          Finding.missing(
              "GitHub's own merge queue guards %s.".formatted(branch),
              "Take the rule Require merge queue out of the ruleset."));
    }
    if (rules.contains("required_signatures")) {
      findings.add(
          Finding.missing(
              "%s takes signed commits only, and what we push is not signed.".formatted(branch),
              "Take the rule Require signed commits out of the ruleset, or: " + BYPASS));
    }
    if (rules.contains("pull_request") || rules.contains("update")) {
      findings.add(
          Finding.advice(
              "Rules of %s refuse pushes by whoever may not bypass them.".formatted(branch),
              BYPASS));
    }
    if (!rules.contains("update")) {
      findings.add(
          Finding.advice(
              "Others than Mainstay may push to %s, past the queue and its tests."
                  .formatted(branch),
              "Add a ruleset for the branch with Restrict updates, and Mainstay as the only one"
                  + " who may bypass it."));
    }
  }

  private void checks(List<Finding> findings) {
    List<String> names = required.checks(branch).orElse(List.of());
    if (names.isEmpty()) {
      return;
    }
    List<Workflows.File> files = Workflows.of(client, branch).files();
    for (String check : names) {
      List<Workflows.File> of = files.stream().filter(f -> f.names(check)).toList();
      if (of.stream().anyMatch(Workflows.File::runsOnTestBranches)) {
        findings.add(Finding.good("The check %s runs on test branches.".formatted(check)));
      } else {
        findings.add(unseen(check, of));
      }
    }
  }

  private static Finding unseen(String check, List<Workflows.File> files) {
    String pattern = RefNames.TEST_BRANCHES + "**";
    if (files.isEmpty()) {
      return Finding.advice(
          "The required check %s comes from none of the workflows of the repository."
              .formatted(check),
          "Let the system that reports it run on branches %s as well.".formatted(pattern));
    }
    String path = files.getFirst().path();
    return Finding.missing(
        "The required check %s does not run on test branches: %s does not start on pushes to them."
            .formatted(check, path),
        "Add to %s, below on: push: branches: ['%s']".formatted(path, pattern));
  }
}
