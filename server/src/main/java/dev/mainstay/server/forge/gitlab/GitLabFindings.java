package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.RefNames;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Looks whether a project is set up for queues, and says how to mend what is not. */
record GitLabFindings(
    GitLabProject project, GitLabPeople people, GitLabCi ci, InstantSource clock) {
  /** Test branches such as any other. */
  private static final List<String> TEST_BRANCHES =
      List.of(RefNames.TEST_BRANCHES + "main/r1", RefNames.TEST_BRANCHES + "release/1.0/r1");

  static String moved(String path) {
    return "GitLab calls the project %s now: connect it by its new address, or its hooks are not heard."
        .formatted(path);
  }

  List<Finding> of(Set<String> targets) {
    JsonNode itself = project.itself();
    refuseTrains(itself);
    var found = new ArrayList<Finding>();
    project
        .movedTo()
        .ifPresent(
            path ->
                found.add(
                    Finding.missing(
                        moved(path), "Disconnect it, and connect it by the new address.")));
    if (itself.path("empty_repo").asBoolean(false)) {
      found.add(
          Finding.missing("The project is empty.", "Push a branch for the queue to land on."));
      return List.copyOf(found);
    }
    String login = people.self().path("username").asString("the user of the token");
    found.addAll(new GitLabTokenFindings(project, clock).all());
    found.add(role(people.ownRole(), login));
    found.addAll(settings(itself));
    Optional<JsonNode> rules = project.findVisible("/protected_branches?per_page=100");
    found.add(testBranches(rules));
    found.addAll(new GitLabHookFindings(project).all());
    targets.stream()
        .sorted()
        .forEach(target -> found.addAll(new GitLabTarget(project, ci, target, login).all(itself)));
    return List.copyOf(found);
  }

  /** A train and the pushes of a queue would start each other anew for ever. */
  private void refuseTrains(JsonNode itself) {
    if (itself.path("merge_trains_enabled").asBoolean(false)) {
      throw new ForgeUnavailable(
          "The project %s has merge trains, which are a queue of their own and disturb another: switch them off under Settings, Merge requests, and connect it then."
              .formatted(project.place()));
    }
  }

  private static Finding role(int level, String login) {
    if (level >= GitLabPeople.MAINTAINER) {
      return Finding.good("%s is a maintainer of the project.".formatted(login));
    }
    return level >= GitLabPeople.DEVELOPER
        ? Finding.advice(
            "%s is a developer of the project, who may land only where developers may push."
                .formatted(login),
            "Make a token with the role Maintainer.")
        : Finding.missing(
            "%s has no role in the project that may push.".formatted(login),
            "Make a token with the role Maintainer, or add its user to the members.");
  }

  private static List<Finding> settings(JsonNode itself) {
    var found = new ArrayList<Finding>();
    if (itself.path("archived").asBoolean(false)) {
      found.add(
          Finding.missing(
              "The project is archived: nothing can land in it.", "Unarchive it in its settings."));
    }
    boolean requests =
        itself.path("merge_requests_enabled").asBoolean(true)
            && !itself.path("merge_requests_access_level").asString("").equals("disabled");
    found.add(
        requests
            ? Finding.good("The project has merge requests.")
            : Finding.missing(
                "The project has no merge requests.",
                "Switch them on under Settings, General, Visibility."));
    return found;
  }

  private static Finding testBranches(Optional<JsonNode> rules) {
    if (rules.isEmpty()) {
      return Finding.advice(
          "Whether a protection covers the test branches is not to be seen with this token.",
          "Make sure that no protected pattern covers mainstay/*.");
    }
    return rules
        .get()
        .valueStream()
        .map(rule -> rule.path("name").asString(""))
        .filter(name -> TEST_BRANCHES.stream().anyMatch(test -> covers(name, test)))
        .findFirst()
        .map(
            name ->
                Finding.missing(
                    "The protection \"%s\" covers the test branches mainstay/*, which then cannot be replaced and deleted."
                        .formatted(name),
                    "Change its pattern so that it leaves out mainstay/*."))
        .orElse(Finding.good("No protection covers the test branches mainstay/*."));
  }

  /**
   * A star stands for anything, slashes too. It takes the length of the name for each part between
   * stars at most.
   */
  static boolean covers(String pattern, String name) {
    String[] parts = pattern.split("\\*", -1);
    if (parts.length == 1) {
      return pattern.equals(name);
    }
    String last = parts[parts.length - 1];
    int at = parts[0].length();
    if (!name.startsWith(parts[0]) || !name.endsWith(last) || name.length() < at + last.length()) {
      return false;
    }
    for (int i = 1; i < parts.length - 1; i++) {
      int next = name.indexOf(parts[i], at);
      if (next < 0 || next + parts[i].length() > name.length() - last.length()) {
        return false;
      }
      at = next + parts[i].length();
    }
    return true;
  }
}
