package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.Check;
import dev.mainstay.server.forge.Host.Status;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.hosted.HostJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The statuses of commits; our check is one of them. Where a branch requires a pattern, all that it
 * matches are a status of that name, as Gitea itself takes them together.
 */
record GiteaStatuses(GiteaRepository repository, GiteaProtection protection) {
  private static final int MOST_PAGES = 40;
  private static final int MOST_NAME = 500;

  /** The longest that the host keeps. */
  private static final int MOST_DESCRIPTION = 255;

  List<Status> of(CommitSha commit) {
    if (!RefNames.isCommit(commit)) {
      return List.of();
    }
    var statuses = new ArrayList<Status>();
    for (int page = 1; page <= MOST_PAGES; page++) {
      Optional<JsonNode> some =
          repository.find("/commits/%s/status?limit=50&page=%d".formatted(commit, page));
      some.ifPresent(s -> s.path("statuses").forEach(status -> statuses.add(read(status))));
      if (some.isEmpty() || some.get().path("statuses").isEmpty()) {
        break;
      }
    }
    protection.patterns().forEach(pattern -> together(pattern, statuses).ifPresent(statuses::add));
    return List.copyOf(statuses);
  }

  private static Status read(JsonNode status) {
    return new Status(
        HostJson.text(status.path("context"), MOST_NAME),
        verdict(status.path("status").asString("")),
        HostJson.url(status.path("target_url")));
  }

  private static Verdict verdict(String status) {
    return switch (status) {
      case "success", "skipped" -> Verdict.SUCCESS;
      case "failure", "error", "warning" -> Verdict.FAILURE;
      default -> Verdict.PENDING;
    };
  }

  /** Empty where nothing of the pattern has reported. */
  private static Optional<Status> together(String pattern, List<Status> statuses) {
    List<Status> matching =
        statuses.stream()
            .filter(s -> !s.name().equals(HostApi.CHECK))
            .filter(s -> GiteaGlob.matchesCheck(pattern, s.name()))
            .toList();
    return first(matching, Verdict.FAILURE)
        .or(() -> first(matching, Verdict.PENDING))
        .or(() -> first(matching, Verdict.SUCCESS))
        .map(s -> new Status(pattern, s.verdict(), s.url()));
  }

  private static Optional<Status> first(List<Status> statuses, Verdict verdict) {
    return statuses.stream().filter(s -> s.verdict() == verdict).findFirst();
  }

  void write(Check check) {
    if (!RefNames.isCommit(check.commit())) {
      throw new ForgeUnavailable("There is no commit to write a check on.");
    }
    Map<String, String> body = new HashMap<>();
    body.put("context", check.name());
    body.put("state", state(check.verdict()));
    body.put("description", HostJson.cut(check.title(), MOST_DESCRIPTION));
    check.url().ifPresent(url -> body.put("target_url", url));
    repository.change("POST", "/statuses/" + check.commit(), body);
  }

  private static String state(Verdict verdict) {
    return switch (verdict) {
      case SUCCESS -> "success";
      case FAILURE, TIMED_OUT -> "failure";
      case PENDING, CANCELLED, NONE -> "pending";
    };
  }
}
