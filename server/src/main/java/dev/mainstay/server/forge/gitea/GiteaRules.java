package dev.mainstay.server.forge.gitea;

import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostJson;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The protections of a repository, by the patterns of branches that they are for. */
final class GiteaRules {
  /** A test branch such as any other. */
  private static final List<String> TEST_BRANCHES =
      List.of(RefNames.TEST_BRANCHES + "main/r1", RefNames.TEST_BRANCHES + "release/1.0/r1");

  private GiteaRules() {}

  static String name(JsonNode rule) {
    return HostJson.text(rule.path("rule_name"), 300);
  }

  static Finding testBranches(List<JsonNode> rules) {
    Optional<String> covering =
        rules.stream()
            .map(GiteaRules::name)
            .filter(
                name ->
                    TEST_BRANCHES.stream().anyMatch(test -> GiteaGlob.matchesBranch(name, test)))
            .findFirst();
    return covering
        .map(
            name ->
                Finding.missing(
                    "The protection \"%s\" covers the test branches mainstay/**, which then cannot"
                            .formatted(name)
                        + " be replaced and deleted.",
                    "Change its pattern so that it leaves out mainstay/**."))
        .orElse(Finding.good("No protection covers the test branches mainstay/**."));
  }

  /** The rule that counts for a branch, as the host says it. */
  static Optional<JsonNode> of(List<JsonNode> rules, String name) {
    return rules.stream().filter(rule -> name(rule).equals(name)).findFirst();
  }
}
