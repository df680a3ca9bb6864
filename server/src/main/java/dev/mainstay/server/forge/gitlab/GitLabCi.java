package dev.mainstay.server.forge.gitlab;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostJson;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Whether a project has CI. GitLab has no list of required checks: where there is CI, the newest
 * pipeline of a test branch must pass.
 */
final class GitLabCi {
  private static final Duration REMEMBERED = Duration.ofMinutes(1);
  private static final int MOST_BRANCHES = 1000;
  private static final String USUAL_FILE = ".gitlab-ci.yml";

  private final GitLabProject project;
  private final Cache<String, Boolean> known =
      Caffeine.newBuilder().expireAfterWrite(REMEMBERED).maximumSize(MOST_BRANCHES).build();

  GitLabCi(GitLabProject project) {
    this.project = project;
  }

  Optional<List<String>> requiredStatuses(String target) {
    return RefNames.isBranch(target) && known.get(target, this::isThere)
        ? Optional.of(List.of(GitLabPipelines.NAME))
        : Optional.empty();
  }

  /** By its own file, one of elsewhere, or what ran on the branch before: others may report. */
  boolean isThere(String target) {
    JsonNode itself = project.lately();
    return !isOff(itself)
        && (itself.path("auto_devops_enabled").asBoolean(false)
            || isElsewhere(file(itself))
            || hasFile(file(itself), target)
            || hasRun(target));
  }

  static boolean isOff(JsonNode itself) {
    return itself.path("builds_access_level").asString("").equals("disabled");
  }

  static String file(JsonNode itself) {
    String set = HostJson.text(itself.path("ci_config_path"), 500);
    return set.isEmpty() ? USUAL_FILE : set;
  }

  /** A file of another project, or of the web. */
  private static boolean isElsewhere(String file) {
    return file.contains("@") || file.contains("://");
  }

  private boolean hasFile(String file, String target) {
    return project
        .findVisible(
            "/repository/files/%s?ref=%s"
                .formatted(GitLabPlace.encoded(file), GitLabPlace.encoded(target)))
        .isPresent();
  }

  private boolean hasRun(String target) {
    return project
        .findVisible("/pipelines?per_page=1&ref=" + GitLabPlace.encoded(target))
        .filter(some -> !some.isEmpty())
        .isPresent();
  }
}
