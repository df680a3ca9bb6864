package dev.mainstay.server.web.queue;

import dev.mainstay.server.web.graph.QueueDrawing;
import dev.mainstay.server.web.graph.QueuePicture;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.queue.Answers.PullRequest;
import dev.mainstay.server.web.queue.Answers.Queue;
import dev.mainstay.server.web.queue.Answers.TestRun;
import dev.mainstay.server.web.queue.Answers.Tested;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The picture of a queue, of what the API answered. */
final class Picture {
  private final Address at;
  private final Repo repo;
  private final Queue queue;
  private final Map<Integer, List<String>> targets = new HashMap<>();

  private Picture(Address at, Repo repo, Queue queue) {
    this.at = at;
    this.repo = repo;
    this.queue = queue;
  }

  static String of(Address at, Repo repo, Queue queue, List<TestRun> runs) {
    return QueueDrawing.svg(new Picture(at, repo, queue).picture(runs));
  }

  private QueuePicture picture(List<TestRun> runs) {
    runs.forEach(
        run -> run.testedPullRequests().forEach(pr -> targets.put(pr.prNumber(), run.targets())));
    return new QueuePicture(
        queue.branch(),
        queue.mode().equals("parallel"),
        queue.concurrency(),
        at.queue(repo, queue.branch()) + "#table",
        queue.entries().stream().map(this::entry).toList(),
        runs.stream().filter(r -> !r.testedPullRequests().isEmpty()).map(this::run).toList());
  }

  private QueuePicture.Entry entry(PullRequest pr) {
    return new QueuePicture.Entry(
        pr.prNumber(),
        pr.title(),
        pr.prAuthor(),
        pr.state(),
        pr.priorityName(),
        pr.waitsFor(),
        pr.testRunId(),
        pr.position(),
        pr.reason().message(),
        targets.getOrDefault(pr.prNumber(), List.of()),
        at.pullRequest(repo, queue.branch(), pr.prNumber()),
        pr.reason().code().equals("bisecting"));
  }

  private QueuePicture.Run run(TestRun run) {
    return new QueuePicture.Run(
        run.testRunId(),
        run.kind(),
        run.status(),
        run.testedPullRequests().stream().map(Tested::prNumber).toList(),
        run.dependentPrs().stream().map(Tested::prNumber).toList(),
        (int) run.done(),
        run.expected(),
        Instant.parse(run.createdAt()),
        at.run(repo, run.testRunId()));
  }
}
