package dev.mainstay.server.forge.gitea;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Looks whether a repository is set up for queues, and says how to mend what is not. */
record GiteaFindings(GiteaRepository repository, GiteaProtection protection) {
  private static final String SCOPES = "write:repository, write:issue and read:user";

  List<Finding> of(Set<String> targets) {
    JsonNode itself = repository.itself();
    var found = new ArrayList<Finding>();
    if (itself.path("empty").asBoolean(false)) {
      return List.of(
          Finding.missing("The repository is empty.", "Push a branch for the queue to land on."));
    }
    found.add(rights(itself));
    found.add(people(itself));
    found.addAll(scopes());
    found.addAll(settings(itself));
    Optional<List<JsonNode>> rules = rules();
    found.add(
        rules
            .map(GiteaRules::testBranches)
            .orElse(
                Finding.advice(
                    "Whether a protection covers the test branches is not to be seen: only an"
                        + " administrator of the repository sees all protections.",
                    "Make sure that no protected pattern covers mainstay/**.")));
    String login = new GiteaPeople(repository).login().orElse("the user of the token");
    targets.stream()
        .sorted()
        .forEach(
            target ->
                found.addAll(
                    new GiteaTarget(target, login, rules).findings(protection.branch(target))));
    return List.copyOf(found);
  }

  private Optional<List<JsonNode>> rules() {
    try {
      return Optional.of(protection.rules());
    } catch (CredentialsRefused e) {
      return Optional.empty();
    }
  }

  private static Finding rights(JsonNode itself) {
    if (itself.path("archived").asBoolean(false)) {
      return Finding.missing(
          "The repository is archived: nothing can land in it.", "Unarchive it in its settings.");
    }
    return itself.at("/permissions/push").asBoolean(false)
        ? Finding.good("The token is of somebody who may write to the repository.")
        : Finding.missing(
            "The token is of somebody who may only read the repository.",
            "Add them to its collaborators with the right to write.");
  }

  private static Finding people(JsonNode itself) {
    return itself.at("/permissions/admin").asBoolean(false)
        ? Finding.good("The token is of an administrator, who may ask what others may do.")
        : Finding.advice(
            "The token is of somebody who may not ask what others may do: so nobody may command a"
                + " queue by comments, labels or the merge button.",
            "Give them the right to administrate the repository, or go without such commands"
                + " (commandsEnabled).");
  }

  /** A change of what cannot be there is refused for the scope before it is found missing. */
  private List<Finding> scopes() {
    return List.of(
        scope("write:repository", () -> repository.call("PATCH", "/pulls/0", Map.of())),
        scope("write:issue", () -> repository.call("PATCH", "/issues/comments/0", Map.of())),
        scope("read:user", () -> repository.rest().get("/user")));
  }

  private static Finding scope(String name, Runnable question) {
    try {
      question.run();
      return Finding.good("The token has the scope %s.".formatted(name));
    } catch (CredentialsRefused e) {
      return Finding.missing(
          "The token lacks the scope %s. %s".formatted(name, e.getMessage()),
          "Make a token with the scopes %s, and connect the repository with it.".formatted(SCOPES));
    }
  }

  private static List<Finding> settings(JsonNode itself) {
    boolean pulls = itself.path("has_pull_requests").asBoolean(true);
    boolean manual = itself.path("allow_manual_merge").asBoolean(false);
    boolean detects = itself.path("autodetect_manual_merge").asBoolean(false);
    var found = new ArrayList<Finding>();
    if (!pulls) {
      found.add(
          Finding.missing("The repository has no pull requests.", "Enable them in its settings."));
    }
    found.add(
        manual
            ? Finding.good("Pull requests can be marked as merged.")
            : Finding.missing(
                "Pull requests cannot be marked as merged: they would be closed when they land.",
                "Enable \"Mark pull request as manually merged\" in the settings of the repository"
                    + " (allow_manual_merge)."));
    found.add(
        detects
            ? Finding.good("The host notices merges that were pushed.")
            : Finding.advice(
                "The host does not notice merges that somebody else pushes.",
                "Enable \"Autodetect manual merge\" in the settings of the repository"
                    + " (autodetect_manual_merge)."));
    return found;
  }
}
