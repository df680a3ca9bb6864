package dev.mainstay.bench.attack;

import dev.mainstay.bench.BenchRepo;
import dev.mainstay.bench.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** A queue of a victim on a real repository, which shows whether the victim still works. */
record Queue(Victim victim, BenchRepo repository, String name) {
  private static final Set<String> ENDED = Set.of("MERGED", "FAILED", "CANCELLED");
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** Connects the repository, whose changes are tested by this command. */
  static Queue on(Victim victim, BenchRepo repository, String name, String command)
      throws IOException, InterruptedException {
    var queue = new Queue(victim, repository, name);
    Map<String, Object> connection = queue.fields("testCommand", command);
    connection.remove("targetBranch");
    connection.put("address", repository.directory().toString());
    victim.done("connectRepository", connection);
    victim.done("createQueue", queue.fields());
    return queue;
  }

  void submit(int number) throws IOException, InterruptedException {
    victim.done("submitPullRequest", fields("pr", Map.of("number", number)));
  }

  /** Opens and submits a change that is well. */
  void submitGood(int number) throws IOException, InterruptedException {
    repository.open(BenchRepo.head(number), number, "file-" + number);
    submit(number);
  }

  /** Whether a change that is well lands: everything behind the API works then. */
  boolean works(int number) throws IOException, InterruptedException {
    submitGood(number);
    return end(number).equals("MERGED");
  }

  String end(int number) throws IOException, InterruptedException {
    Waiting.until(() -> ENDED.contains(state(number)), LONGEST);
    return state(number);
  }

  String state(int number) throws IOException, InterruptedException {
    return victim
        .done("getSubmittedPullRequest", fields("pr", Map.of("number", number)))
        .path("state")
        .asString("");
  }

  /** The names of the queue, and some more fields. */
  Map<String, Object> fields(Object... more) {
    var body = new LinkedHashMap<String, Object>();
    body.put("repo", Map.of("host", "attack.local", "owner", "acme", "name", name));
    body.put("targetBranch", "main");
    for (int i = 0; i < more.length; i += 2) {
      body.put((String) more[i], more[i + 1]);
    }
    return body;
  }
}
