package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What a token may do, and until when. */
record GitLabTokenFindings(GitLabProject project, InstantSource clock) {
  private static final List<String> SCOPES = List.of("api", "write_repository");
  private static final int DAYS_BEFORE = 14;
  private static final String ANOTHER =
      "Make a token with the scopes api and write_repository, and connect the project with it.";

  List<Finding> all() {
    Optional<JsonNode> token = self();
    if (token.isEmpty()) {
      return List.of(
          Finding.advice(
              "What the token may do, and until when, is not to be seen.",
              "See that it has the scopes api and write_repository, and when it ends."));
    }
    var found = new ArrayList<Finding>();
    List<String> scopes = HostJson.names(token.get().path("scopes"));
    for (String scope : SCOPES) {
      found.add(
          scopes.contains(scope)
              ? Finding.good("The token has the scope %s.".formatted(scope))
              : Finding.missing("The token lacks the scope %s.".formatted(scope), ANOTHER));
    }
    found.add(end(token.get().path("expires_at").asString("")));
    return found;
  }

  /** Older servers do not tell a token of itself. */
  private Optional<JsonNode> self() {
    try {
      Answer answer = project.rest().get("/personal_access_tokens/self");
      return Optional.of(answer.json()).filter(json -> answer.ok() && json.has("scopes"));
    } catch (CredentialsRefused e) {
      return Optional.empty();
    }
  }

  private Finding end(String day) {
    if (day.isEmpty()) {
      return Finding.good("The token has no end.");
    }
    try {
      LocalDate end = LocalDate.parse(day.substring(0, Math.min(day.length(), 10)));
      LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
      return end.isAfter(today.plusDays(DAYS_BEFORE))
          ? Finding.good("The token is good until %s.".formatted(end))
          : Finding.advice(
              "The token ends on %s: after that nothing can land.".formatted(end),
              "Rotate it at GitLab, and connect the project with the new one.");
    } catch (DateTimeException e) {
      return Finding.advice(
          "When the token ends is not to be read.", "See at GitLab when it does.");
    }
  }
}
