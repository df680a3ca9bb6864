package dev.mainstay.server.queue;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.store.TestRunStore;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The test branch of a run, by its name, whether or not the run is over. */
public final class TestBranch {
  private static final Pattern NAME = Pattern.compile("mainstay/.*/([^/]+)-([1-9][0-9]{0,17})");

  private TestBranch() {}

  /**
   * The pull requests that a test branch holds, those it stands on among them; none where it is not
   * one of a queue of the repository.
   */
  public static List<Integer> pullRequests(Database database, long repositoryId, String branch) {
    Matcher name = NAME.matcher(branch);
    if (!name.matches()) {
      return List.of();
    }
    var run = new RunId(Long.parseLong(name.group(2)));
    return database
        .query(h -> TestRunStore.onBranch(h, repositoryId, name.group(1), run, branch))
        .map(row -> Stream.concat(row.standsOn().stream(), row.tested().stream()))
        .orElseGet(Stream::of)
        .map(Change::pr)
        .map(pr -> pr.number())
        .toList();
  }
}
