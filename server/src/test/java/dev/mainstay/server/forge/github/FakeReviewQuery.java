package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.github.FakeRoute.Call;
import dev.mainstay.server.forge.github.FakeRoute.Reply;
import dev.mainstay.server.platform.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The one question that GitHub answers by GraphQL alone: which conversations are open. */
record FakeReviewQuery(FakePulls pulls, FakeProtection protection) {
  Reply answer(Call call) {
    FakePull pull = pulls.pull(call.body().path("variables").path("number").asInt());
    ObjectNode json = Json.object();
    ObjectNode found = json.putObject("data").putObject("repository").putObject("pullRequest");
    found.put("reviewDecision", decision(pull));
    ArrayNode threads = found.putObject("reviewThreads").putArray("nodes");
    for (int i = 0; i < pull.openConversations; i++) {
      threads.add(Json.object().put("isResolved", false));
    }
    threads.add(Json.object().put("isResolved", true));
    ArrayNode reviews = found.putObject("latestOpinionatedReviews").putArray("nodes");
    for (FakePull.Review review : pull.reviews) {
      ObjectNode one = Json.object().put("state", review.state());
      one.putObject("author").put("login", review.login());
      reviews.add(one);
    }
    return Reply.ok(json);
  }

  private @Nullable String decision(FakePull pull) {
    if (pull.reviews.stream().anyMatch(r -> r.state().equals("CHANGES_REQUESTED"))) {
      return "CHANGES_REQUESTED";
    }
    if (protection.approvals == 0) {
      return null;
    }
    return pull.isApproved(protection.approvals) ? "APPROVED" : "REVIEW_REQUIRED";
  }
}
