package dev.mainstay.server;

import dev.mainstay.server.event.Details;
import dev.mainstay.server.health.TestHealth;
import dev.mainstay.server.health.TestView;
import dev.mainstay.server.health.test.TestRow;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.queue.FailedTest;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What events out say beyond their facts: the names and owners of a test, and the tests that failed
 * in a run.
 */
final class EventDetails implements Details {
  private static final int MOST_TESTS = 10;
  private static final int MOST_OWNERS = 20;
  private static final int LONGEST = 300;
  private static final Set<String> FAILURES =
      Set.of("pull_request.failed", "pull_request.pending_failure");

  private final TestHealth tests;
  private final FailedTest.Finder failedTests;
  private final URI publicUrl;

  EventDetails(TestHealth tests, FailedTest.Finder failedTests, URI publicUrl) {
    this.tests = tests;
    this.failedTests = failedTests;
    this.publicUrl = publicUrl;
  }

  @Override
  public void add(FactStore.Row fact, ObjectNode data) {
    if (FAILURES.contains(fact.fact().kind())) {
      addFailures(fact.repositoryId(), data);
    } else if (data.get("test_case") instanceof ObjectNode test) {
      tests
          .find(fact.repositoryId(), UUID.fromString(test.path("id").asString()))
          .ifPresent(found -> addTest(found, test));
    }
  }

  private void addFailures(long repositoryId, ObjectNode data) {
    JsonNode run = data.path("testRun");
    if (!run.has("testBranchSha")) {
      return;
    }
    List<FailedTest> failed =
        failedTests.find(
            repositoryId, run.path("testBranch").asString(), run.path("testBranchSha").asString());
    if (failed.isEmpty()) {
      return;
    }
    ArrayNode told = data.put("failedTestsTotal", failed.size()).putArray("failedTests");
    failed.stream().limit(MOST_TESTS).forEach(test -> addFailure(test, data, told.addObject()));
  }

  private void addFailure(FailedTest test, JsonNode data, ObjectNode told) {
    told.put("id", test.id())
        .put("name", bounded(test.name()))
        .put("classname", bounded(test.classname()))
        .put("file", bounded(test.file()))
        .put("message", bounded(test.message()))
        .put("quarantined", test.quarantined());
    test.status().ifPresent(status -> told.put("status", status));
    JsonNode repo = data.path("repository");
    told.put(
        "url",
        "%s/%s/%s/%s/%s/tests/%s"
            .formatted(
                publicUrl,
                data.path("organization").asString(),
                repo.path("host").asString(),
                repo.path("owner").asString().replace(" ", "%20"),
                repo.path("name").asString().replace(" ", "%20"),
                test.id()));
  }

  private static void addTest(TestView found, ObjectNode test) {
    TestRow row = found.row();
    test.put("name", bounded(row.name()))
        .put("variant", bounded(row.variant()))
        .put("parent", bounded(row.parent()))
        .put("classname", bounded(row.classname()))
        .put("file_path", bounded(row.file()));
    ArrayNode owners = test.putArray("codeowners");
    row.codeowners().stream().limit(MOST_OWNERS).forEach(owner -> owners.add(bounded(owner)));
    test.put("quarantined", found.quarantined())
        .put("failure_rate_last_7d", found.failureRate())
        .put("pull_requests_impacted_last_7d", found.pullRequests());
    row.ticket().ifPresent(ticket -> test.put("ticket", ticket));
    found.ticketUrl().ifPresent(address -> test.put("ticket_url", address));
  }

  private static String bounded(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
  }
}
