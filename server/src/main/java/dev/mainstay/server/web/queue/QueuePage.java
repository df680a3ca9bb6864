package dev.mainstay.server.web.queue;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Form;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Notice;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.queue.Answers.PullRequest;
import dev.mainstay.server.web.queue.Answers.PullRequests;
import dev.mainstay.server.web.queue.Answers.Queue;
import dev.mainstay.server.web.queue.Answers.TestRun;
import dev.mainstay.server.web.queue.Answers.TestRuns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A queue: its picture, the same as a table, who left lately, and its switches. */
public final class QueuePage {
  private static final int LATELY = 12;

  private QueuePage() {}

  /** The page; {@code picture} is SVG. */
  public record Model(
      Queue queue,
      Repo repo,
      Address at,
      String picture,
      List<PullRequest> entries,
      List<TestRun> runs,
      List<PullRequest> left) {
    public String href(PullRequest pr) {
      return at.pullRequest(repo, queue.branch(), pr.prNumber());
    }

    public String here() {
      return at.queue(repo, queue.branch());
    }

    public long testing() {
      return runs.stream().filter(r -> r.kind().equals("MAIN")).count();
    }

    public long notReady() {
      return entries.stream().filter(e -> e.state().equals("NOT_READY")).count();
    }
  }

  static Reply show(Visit visit) {
    Repo repo = visit.repo();
    String branch = visit.branch();
    var asked = asked(visit);
    Queue queue = visit.ask("/v1/getQueue", asked, Queue.class);
    List<TestRun> runs =
        visit.ask("/v1/getMergeQueueTestingDetails", asked, TestRuns.class).testRuns();
    List<PullRequest> left =
        visit
            .ask(
                "/v1/listPullRequests",
                Form.body(asked, Map.of("ended", true, "take", LATELY)),
                PullRequests.class)
            .pullRequests();
    var model =
        new Model(
            queue,
            repo,
            visit.address(),
            Picture.of(visit.address(), repo, queue, runs),
            queue.entries(),
            runs,
            left);
    return visit.page("queue", frame(visit, branch, List.of()), model);
  }

  /** The frame of pages of a queue. */
  static Frame frame(Visit visit, String branch, List<Frame.Crumb> more) {
    Repo repo = visit.repo();
    String queue = visit.address().queue(repo, branch);
    var crumbs = new ArrayList<>(List.of(new Frame.Crumb(branch, queue)));
    crumbs.addAll(more);
    String title = (more.isEmpty() ? branch : more.getLast().text()) + " · " + repo.text();
    return visit.frame(title, repo, visit.address().repository(repo), crumbs);
  }

  static Map<String, Object> asked(Visit visit) {
    return Map.of("repo", visit.repo().asked(), "targetBranch", visit.branch());
  }

  static Reply switchTo(Visit visit, Form form) {
    String state = form.needed("state");
    visit.act("/v1/updateQueue", Form.body(asked(visit), Map.of("state", state)));
    Notice notice =
        switch (state) {
          case "PAUSED" -> Notice.PAUSED;
          case "DRAINING" -> Notice.DRAINING;
          default -> Notice.RESUMED;
        };
    return Visit.back(visit.address().queue(visit.repo(), visit.branch()), notice);
  }

  static Reply submit(Visit visit, Form form) {
    int number = form.number("number").orElse(0);
    var body = new LinkedHashMap<>(asked(visit));
    body.put("pr", Map.of("number", number));
    form.text("priority").ifPresent(p -> body.put("priority", p));
    visit.act("/v1/submitPullRequest", body);
    return Visit.back(
        visit.address().pullRequest(visit.repo(), visit.branch(), number), Notice.SUBMITTED);
  }
}
