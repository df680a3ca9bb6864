package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.RefNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Looks whether a repository is set up for us: permissions, protection, CI of test branches. */
record Setup(GitHubClient client, Required required) {
  private static final Map<String, String> NEEDED = new LinkedHashMap<>();

  static {
    for (String name : List.of("contents", "pull_requests", "checks", "workflows", "actions")) {
      NEEDED.put(name, "write");
    }
    // An App writes check runs, and reads what others say by statuses.
    NEEDED.put("statuses", "read");
    NEEDED.put("metadata", "read");
  }

  List<Finding> findings(Set<String> targetBranches) {
    client.mustBeThere();
    var findings = new ArrayList<Finding>();
    Optional<AppTokens> app = client.access().app();
    findings.addAll(app.isPresent() ? ofApp(app.get()) : ofToken());
    for (String branch : new TreeSet<>(targetBranches)) {
      if (RefNames.isBranch(branch)) {
        findings.addAll(new Protection(client, required, branch).findings());
      }
    }
    return findings;
  }

  private List<Finding> ofApp(AppTokens app) {
    Map<String, String> given = app.installation(client.address()).permissions();
    var findings = new ArrayList<Finding>();
    NEEDED.forEach(
        (name, level) -> {
          String has = given.getOrDefault(name, "none");
          if (!has.equals(level) && !has.equals("write") && !has.equals("admin")) {
            findings.add(
                Finding.missing(
                    "The App lacks the permission %s: %s.".formatted(name, level),
                    "Give it in the settings of the App under Permissions, then accept the change"
                        + " where the App is installed."));
          }
        });
    return findings.isEmpty()
        ? List.of(Finding.good("The App has all permissions that it needs."))
        : findings;
  }

  /** The scopes of a classic token are told with every answer; other tokens have to be tried. */
  private List<Finding> ofToken() {
    Optional<String> scopes = client.get("").header("x-oauth-scopes").filter(s -> !s.isBlank());
    if (scopes.isEmpty()) {
      return tried();
    }
    Set<String> all = Set.of(scopes.get().split(",\\s*"));
    var findings = new ArrayList<Finding>();
    findings.add(
        all.contains("repo")
            ? Finding.good("The token may work on the repository.")
            : Finding.missing(
                "The token lacks the scope repo.",
                "Make a token with the scopes repo and workflow, and connect again with it."));
    if (!all.contains("workflow")) {
      findings.add(
          Finding.advice(
              "The token lacks the scope workflow: changes of .github/workflows cannot land.",
              "Add the scope workflow to the token."));
    }
    findings.add(
        Finding.advice(
            "With a token, people see a commit status in place of a check with buttons.",
            "Connect a GitHub App, which may write checks and has its own limits."));
    return findings;
  }

  private List<Finding> tried() {
    var findings = new ArrayList<Finding>();
    for (var read :
        Map.of("Pull requests", "/pulls?per_page=1", "Contents", "/branches?per_page=1")
            .entrySet()) {
      try {
        if (client.get(read.getValue()).ok()) {
          continue;
        }
      } catch (CredentialsRefused e) {
        // said below
      }
      findings.add(
          Finding.missing(
              "The token may not read %s.".formatted(read.getKey()),
              "Give the token read and write access to Contents, Pull requests, Commit statuses"
                  + " and Workflows of this repository."));
    }
    return findings.isEmpty()
        ? List.of(Finding.good("The token may read the repository and its pull requests."))
        : findings;
  }
}
