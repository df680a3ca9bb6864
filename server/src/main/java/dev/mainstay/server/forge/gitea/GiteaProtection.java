package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.hosted.HostJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The demands of branches that are protected. A branch tells them to whoever may read it. */
final class GiteaProtection {
  private static final int MOST_BRANCHES = 1000;

  private final GiteaRepository repository;
  private final Map<String, List<String>> patterns = new ConcurrentHashMap<>();

  GiteaProtection(GiteaRepository repository) {
    this.repository = repository;
  }

  /** Gitea breaks down where it is asked for a branch of an empty repository. */
  Optional<JsonNode> branch(String name) {
    if (!RefNames.isBranch(name)) {
      return Optional.empty();
    }
    try {
      return repository.find("/branches/" + GiteaRepository.encoded(name));
    } catch (ForgeUnavailable e) {
      if (repository.itself().path("empty").asBoolean(false)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Those that a branch requires; some may be patterns, which {@link GiteaStatuses} answers. */
  Optional<List<String>> requiredStatuses(String target) {
    Optional<List<String>> required =
        branch(target).map(GiteaProtection::required).filter(names -> !names.isEmpty());
    List<String> found =
        required.orElse(List.of()).stream().filter(GiteaGlob::isPattern).distinct().toList();
    if (found.isEmpty()) {
      patterns.remove(target);
    } else if (patterns.size() < MOST_BRANCHES) {
      patterns.put(target, found);
    }
    return required;
  }

  static List<String> required(JsonNode branch) {
    return branch.path("enable_status_check").asBoolean(false)
        ? HostJson.names(branch.path("status_check_contexts")).stream()
            .filter(name -> !name.equals(HostApi.CHECK))
            .toList()
        : List.of();
  }

  /** All patterns that branches were seen to require. */
  List<String> patterns() {
    return patterns.values().stream().flatMap(List::stream).distinct().toList();
  }

  /** The demands of the base branch on a pull request that are not met yet. */
  List<String> obstacles(PullRequestRef pr, String base) {
    int required = branch(base).map(b -> b.path("required_approvals").asInt(0)).orElse(0);
    if (required <= 0) {
      return List.of();
    }
    long approvals = reviews(pr).filter(GiteaProtection::approves).count();
    return approvals >= required
        ? List.of()
        : List.of(
            "The branch %s requires %d approval%s, and the pull request has %d."
                .formatted(base, required, required == 1 ? "" : "s", approvals));
  }

  private Stream<JsonNode> reviews(PullRequestRef pr) {
    var reviews = new ArrayList<JsonNode>();
    for (int page = 1; page <= 20; page++) {
      JsonNode some =
          repository.get(GiteaRepository.pull(pr) + "/reviews?limit=50&page=" + page).json();
      some.forEach(reviews::add);
      if (some.isEmpty()) {
        break;
      }
    }
    return reviews.stream();
  }

  /** As Gitea counts them: by people whose word counts on that branch, and not taken back. */
  private static boolean approves(JsonNode review) {
    return review.path("state").asString("").equals("APPROVED")
        && review.path("official").asBoolean(false)
        && !review.path("dismissed").asBoolean(false);
  }

  /** All rules, which only an administrator of the repository may see. */
  List<JsonNode> rules() {
    return repository.get("/branch_protections").json().valueStream().collect(Collectors.toList());
  }
}
