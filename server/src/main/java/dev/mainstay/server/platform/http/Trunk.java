package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * The wire for clients that were written for another service: calls of {@code /v1} below {@code
 * /trunk}, with the words of merge queues in lower case, errors as plain text, and a body that
 * needs no content type. What those clients do not know is not there.
 */
public final class Trunk {
  private static final String BASE = "/trunk";
  private static final String FLAKY_TESTS = "/v1/flaky-tests";
  private static final String QUARANTINED = FLAKY_TESTS + "/list-quarantined-tests";

  /** Sent by workflows on GitHub; those of forks have no key, and are looked up by it. */
  private static final HeaderName FORKED_RUN = HeaderNames.create("x-forked-workflow-run-id");

  private static final String TARGETS = "/v1/setImpactedTargets";

  /** The name that an older client calls a list by. */
  private static final String OLDER_QUARANTINED = BASE + FLAKY_TESTS + "/quarantined";

  private static final Set<String> SHARED =
      Set.of(
          "/v1/submitPullRequest",
          "/v1/cancelPullRequest",
          "/v1/restartTestsOnPullRequest",
          "/v1/getSubmittedPullRequest",
          TARGETS,
          "/v1/getMergeQueueTestingDetails",
          "/v1/getMergeQueueMetrics",
          "/v1/metrics/getQuarantineConfig",
          "/v1/metrics/createBundleUpload",
          "/v1/flakytests-cli/upload-metrics",
          FLAKY_TESTS + "/list-failing-tests",
          FLAKY_TESTS + "/list-unhealthy-tests",
          FLAKY_TESTS + "/get-test-details",
          FLAKY_TESTS + "/link-ticket-to-test-case",
          QUARANTINED);

  /**
   * The fields whose values are words of ours; what people chose to call something is in others.
   */
  private static final Set<String> OWN_WORDS =
      Set.of(
          "state",
          "mergeMethod",
          "directMergeMode",
          "optimizationMode",
          "batchSizing",
          "timeoutSizing",
          "mergeability",
          "status",
          "kind",
          "how",
          "requiredStatusesSource");

  private Trunk() {}

  /** {@code owner} finds the owner of a key. */
  public static List<Surface> surfaces(Function<String, Optional<Caller>> owner) {
    return List.of(
        surface(BASE + "/v1", V1.byKey(owner), Trunk::lowerCase),
        surface(BASE + TARGETS, byKeyOrRun(owner), Trunk::lowerCase),
        // Statuses of tests are spelled as at /v1, some in capitals and some not.
        surface(BASE + FLAKY_TESTS, V1.byKey(owner), Json::write));
  }

  /** Whoever names a run of a workflow and sends no key has to be proven by that run. */
  private static Surface.Authentication byKeyOrRun(Function<String, Optional<Caller>> owner) {
    Surface.Authentication byKey = V1.byKey(owner);
    return arrival ->
        arrival.header(FORKED_RUN).isPresent() && V1.key(arrival).isEmpty()
            ? Optional.empty()
            : byKey.caller(arrival);
  }

  private static Surface surface(
      String basePath, Surface.Authentication authentication, Surface.Words words) {
    return new Surface(
        basePath,
        authentication,
        Surface.FOR_PROGRAMS,
        (error, arrival, requestId) -> sentence(error),
        words,
        true);
  }

  /** Those of the routes of {@code /v1} that are served here too. */
  public static List<Route> routes(List<Route> v1) {
    return v1.stream()
        .filter(route -> SHARED.contains(route.path()))
        .flatMap(
            route ->
                route.path().equals(QUARANTINED)
                    ? Stream.of(here(route), route.at(OLDER_QUARANTINED))
                    : Stream.of(here(route)))
        .toList();
  }

  private static Route here(Route route) {
    return route.at(BASE + route.path());
  }

  private static Reply sentence(ApiError error) {
    String faults =
        error.faults().stream()
            .map(fault -> fault.field() + ": " + fault.message())
            .collect(Collectors.joining("\n"));
    return Reply.text(error.status(), faults.isEmpty() ? error.detail() : faults)
        .with(error.headers());
  }

  private static byte[] lowerCase(Object value) {
    ObjectNode tree = Json.tree(value);
    spell(tree);
    return Json.write(tree);
  }

  private static void spell(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        if (OWN_WORDS.contains(field.getKey()) && field.getValue().isString()) {
          field.setValue(
              StringNode.valueOf(field.getValue().stringValue().toLowerCase(Locale.ROOT)));
        }
      }
    }
    node.forEach(Trunk::spell);
  }
}
