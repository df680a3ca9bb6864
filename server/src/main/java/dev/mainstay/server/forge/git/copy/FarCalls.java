package dev.mainstay.server.forge.git.copy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/**
 * Calls of git that talk to the far side. Git itself follows nobody: the credentials are for one
 * host and port. Where a repository has another name at the same host, it is asked for there.
 */
final class FarCalls {
  private static final int MOST_MOVES = 3;
  private static final Pattern MOVED = Pattern.compile("returned error: 30[12378]\\b");

  private final Git git;
  private final FarSide far;
  private final Duration limit;
  private final AtomicReference<String> location;

  FarCalls(Git git, FarSide far, Duration limit) {
    this.git = git;
    this.far = far;
    this.limit = limit;
    this.location = new AtomicReference<>(far.address().location());
  }

  List<String> pushing() {
    return far.pushing();
  }

  /** Asks git whether there is a repository at all, also an empty one. */
  Git.Result prove() {
    Git.Result listed = run(List.of("ls-remote", "--quiet"), List.of());
    return listed.ok() && far.address().isHttp() && !SmartHttp.answersAt(location.get(), far)
        ? new Git.Result(1, "", "not a git repository", false)
        : listed;
  }

  static boolean isMoved(Git.Result result) {
    return !result.timedOut() && MOVED.matcher(result.errors()).find();
  }

  /** Runs a command on the far side, whose address stands between the options and the rest. */
  Git.Result run(List<String> options, List<String> rest) {
    Git.Result result = at(location.get(), options, rest);
    for (int moves = 0; moves < MOST_MOVES && isMoved(result); moves++) {
      Optional<String> next = SmartHttp.moved(location.get(), far);
      if (next.isEmpty()) {
        return result;
      }
      location.set(next.get());
      result = at(next.get(), options, rest);
    }
    return result;
  }

  private Git.Result at(String place, List<String> options, List<String> rest) {
    var call = new ArrayList<>(options);
    call.add(place);
    call.addAll(rest);
    return git.run(limit, call, far.access(place));
  }
}
