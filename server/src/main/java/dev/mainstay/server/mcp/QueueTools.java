package dev.mainstay.server.mcp;

import static dev.mainstay.server.mcp.Parameter.optional;
import static dev.mainstay.server.mcp.Parameter.required;

import dev.mainstay.server.mcp.Parameter.Choice;
import dev.mainstay.server.mcp.Parameter.Kind;
import dev.mainstay.server.mcp.Parameter.Text;
import dev.mainstay.server.mcp.Parameter.Whole;
import dev.mainstay.server.mcp.Tool.Effect;
import dev.mainstay.server.platform.http.Scope;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Tools about merge queues and what is in them. */
final class QueueTools {
  static final Parameter REPO =
      required(
          "repo", Kind.REPO, "The repository as HOST/OWNER/NAME, such as github.com/acme/shop.");
  static final Parameter TAKE =
      optional("take", new Whole(1, 50), "At most so many; 25 if not given.");
  static final Parameter CURSOR =
      optional("cursor", new Text(3000), "The nextCursor of the answer before, for the next page.");
  static final int USUAL_TAKE = 25;

  private static final Parameter BRANCH =
      required("branch", new Text(250), "The branch that the queue merges into, such as main.");
  private static final Parameter PR =
      required("pr", new Whole(1, Integer.MAX_VALUE), "The number of the pull request.");
  private static final Parameter ANY_REPO =
      optional("repo", Kind.REPO, "Only this repository, as HOST/OWNER/NAME.");
  private static final List<Parameter> PULL_REQUEST = List.of(REPO, BRANCH, PR);

  private static final List<Tool> ALL =
      List.of(
          new Tool(
              "list_repositories",
              "List repositories",
              Scope.READ,
              Effect.NONE,
              "Lists the repositories of the organization, and whether each is connected to where its"
                  + " code lives. Use it to find out what to give as repo elsewhere.",
              List.of(TAKE, CURSOR),
              QueueTools::repositories),
          new Tool(
              "list_queues",
              "List merge queues",
              Scope.READ,
              Effect.NONE,
              "Lists merge queues: their branch, whether they run, and how many pull requests are in"
                  + " them. Use it to find out what to give as branch elsewhere.",
              List.of(ANY_REPO, TAKE, CURSOR),
              QueueTools::queues),
          new Tool(
              "get_queue",
              "Show a merge queue",
              Scope.READ,
              Effect.NONE,
              "Shows a merge queue: its settings, and every pull request in it in queue order with its"
                  + " state and the reason for it.",
              List.of(REPO, BRANCH),
              QueueTools::queue),
          new Tool(
              "submit_pull_request",
              "Submit a pull request",
              Scope.QUEUE,
              Effect.BEGINS,
              "Submits a pull request to the merge queue: it is tested with what is ahead of it, and"
                  + " merged if that passes. Answers its state at once; call get_pull_request later to"
                  + " see what came of it. Submitted again while it is in the queue, only its priority"
                  + " changes; submitted after its end, it begins anew.",
              List.of(
                  REPO,
                  BRANCH,
                  PR,
                  optional(
                      "priority",
                      new Choice(List.of("urgent", "high", "medium", "low")),
                      "medium if not given. urgent interrupts what is under test: only where somebody"
                          + " asked for that."),
                  optional("noBatch", Kind.FLAG, "It is tested in a group of its own.")),
              QueueTools::submit),
          new Tool(
              "get_pull_request",
              "Show a pull request in its queue",
              Scope.READ,
              Effect.NONE,
              "Tells where a submitted pull request stands, and why: its state (NOT_READY, PENDING,"
                  + " TESTING, TESTS_PASSED, PENDING_FAILURE, MERGED, FAILED, CANCELLED), the reason,"
                  + " its place, what it waits for. Where it FAILED, call explain_failure.",
              PULL_REQUEST,
              (api, in) -> pullRequest(api.post("getSubmittedPullRequest", in.aboutPullRequest()))),
          new Tool(
              "explain_failure",
              "Why did this fail?",
              Scope.READ,
              Effect.NONE,
              "Tells why a pull request failed in its queue, or has not merged: the reason, the"
                  + " statuses of its last test run, the tests that failed with their messages and"
                  + " whether each is known to be flaky or broken, and the end of what the test command"
                  + " printed.",
              List.of(
                  REPO,
                  BRANCH,
                  PR,
                  optional(
                      "lines",
                      new Whole(1, 500),
                      "So many of the last lines of the output; 60 if not given.")),
              Failures::explain),
          new Tool(
              "cancel_pull_request",
              "Take a pull request out of its queue",
              Scope.QUEUE,
              Effect.ENDS,
              "Takes a pull request out of its queue: it is not merged, and what stood on it is tested"
                  + " again without it. The pull request itself stays open.",
              PULL_REQUEST,
              (api, in) ->
                  Told.of(
                      "It is out of the queue, or will be unless a merge under way merges it.",
                      api.post("cancelPullRequest", in.aboutPullRequest()))),
          new Tool(
              "restart_tests",
              "Test a pull request again",
              Scope.QUEUE,
              Effect.BEGINS,
              "Begins the tests of a pull request in the queue again, in its place; results from before"
                  + " do not count. One that has ended is submitted again instead.",
              PULL_REQUEST,
              (api, in) ->
                  Told.of(
                      "Its tests begin again.",
                      api.post("restartTestsOnPullRequest", in.aboutPullRequest()))));

  private QueueTools() {}

  static List<Tool> all() {
    return ALL;
  }

  private static Told repositories(ApiCalls api, Arguments in) {
    ObjectNode page = api.post("repositories/list", page(in));
    return Told.of(QueueTexts.repositories(page), page);
  }

  private static Told queues(ApiCalls api, Arguments in) {
    ObjectNode page = api.post("listQueues", page(in));
    return Told.of(QueueTexts.queues(page), page);
  }

  private static Told queue(ApiCalls api, Arguments in) {
    ObjectNode queue = api.post("getQueue", in.aboutQueue());
    return Told.of(QueueTexts.queue(queue), queue);
  }

  private static Told submit(ApiCalls api, Arguments in) {
    Map<String, Object> body = in.aboutPullRequest();
    body.putAll(in.only("priority", "noBatch"));
    return pullRequest(api.post("submitPullRequest", body));
  }

  private static Told pullRequest(ObjectNode pr) {
    return Told.of(QueueTexts.pullRequest(pr), pr);
  }

  private static Map<String, Object> page(Arguments in) {
    Map<String, Object> body = in.only("repo", "cursor");
    body.put("take", in.number("take", USUAL_TAKE));
    return body;
  }
}
