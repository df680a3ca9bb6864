package dev.mainstay.server.command;

import dev.mainstay.server.platform.Leash;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small process beside a test command that ends all of it at once when the node dies, however it
 * dies: then nobody holds the other end of its input. It is in a session of its own and does not
 * listen to signals that are meant for the node.
 */
final class Keeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Keeper.class);
  private static final String SCRIPT =
      """
      trap '' HUP INT TERM
      mark=$1 user=$2 lock=$3 session=
      if [ -n "$user" ]; then exec 9>"$lock" && flock -w 10 9 || exit; fi
      echo watching || exit
      if read -r session && read -r over; then exit 0; fi
      if [ -n "$user" ]; then
        setpriv --reuid "$user" --regid "$user" --clear-groups -- sh -c 'kill -KILL -1' 9>&-
      fi
      if [ -n "$session" ]; then kill -KILL -- "-$session"; fi
      round=0 found=1
      while [ -n "$found" ] && [ $((round += 1)) -le 50 ]; do
        found=
        for process in /proc/[0-9]*; do
          read -r stat <"$process/stat" || continue
          set -- ${stat##*) }
          [ "$1" != Z ] || continue
          if [ "$4" = "$session" ] || tr '\\0' '\\n' <"$process/environ" | grep -qxF "$mark"; then
            kill -KILL "${process#/proc/}"
            found=1
          fi
        done
        [ -z "$found" ] || sleep 0.1
      done
      """;

  private final Process process;
  private final Writer words;

  private Keeper(Process process) {
    this.process = process;
    this.words = process.outputWriter();
  }

  /**
   * Begins to watch, before there is anything to end. Until it has ended, nobody else gets the
   * user: what it ends late would be another command.
   */
  static Keeper start(String mark, Optional<TestUser> user) throws IOException {
    String number = user.map(u -> "" + u.number()).orElse("");
    String lock = user.map(u -> u.keeperLock().toString()).orElse("");
    var command = new ArrayList<>(Leash.session());
    command.addAll(List.of("sh", "-c", SCRIPT, "mainstay-keeper", mark, number, lock));
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().keySet().retainAll(List.of("PATH"));
    Process process = builder.start();
    if (process.inputReader().readLine() == null) {
      throw new IOException("the keeper of a test command did not start");
    }
    return new Keeper(process);
  }

  /** Says which session the command leads. */
  void watch(long session) throws IOException {
    words.write(session + "\n");
    words.flush();
  }

  /** All is over: there is nothing to end any more. */
  @Override
  public void close() {
    try (words) {
      words.write("over\nover\n");
    } catch (IOException e) {
      log.debug("the keeper of a test command has ended before it", e);
    }
    MarkedProcesses.awaitEnd(process.toHandle());
  }
}
