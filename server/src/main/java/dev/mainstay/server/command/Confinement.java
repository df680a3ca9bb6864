package dev.mainstay.server.command;

import dev.mainstay.server.platform.Leash;
import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How test commands are kept away from the node that runs them: by a user of their own, where the
 * node is root and can give them one, and by a sandbox, where there is one.
 */
public record Confinement(boolean ownUser, Optional<Sandbox> sandbox) {
  public static final Confinement NONE = new Confinement(false, Optional.empty());
  private static final Logger log = LoggerFactory.getLogger("mainstay");

  /** The sandbox that the operator asks for. */
  public enum Asked {
    NONE,
    BUBBLEWRAP,
    AUTO
  }

  /**
   * The confinement of this node, and a line in the log that says which. Test commands run below
   * {@code runs}, in the directory {@code data}, the rest of which they are kept from.
   */
  public static Confinement of(Asked asked, Path data, Path runs) {
    Found found = find(asked, data, runs);
    if (found.isClose()) {
      log.info("{}", found.sentence());
    } else {
      log.warn(
          "{}: whoever sets one, or pushes what it runs, can read what this service can",
          found.sentence());
    }
    return found.confinement();
  }

  /** A confinement, and the words for it. */
  public record Found(Confinement confinement, String sentence) {
    /** False where test commands can do whatever this process can. */
    public boolean isClose() {
      return confinement.ownUser || confinement.sandbox.isPresent();
    }
  }

  /** Finds out by trying what this process can do for test commands. */
  public static Found find(Asked asked, Path data, Path runs) {
    boolean ownUser = TestUser.areThere();
    var sandbox = new Sandbox(data.toAbsolutePath().normalize());
    try {
      Files.createDirectories(runs);
      if (ownUser) {
        UserReach.check(runs);
      }
      Optional<String> fault =
          asked == Asked.NONE
              ? Optional.of("--test-sandbox is none")
              : sandbox.fault(inside(ownUser, TestUser.SCOUT, List.of("true")), runs, ownUser);
      if (asked == Asked.BUBBLEWRAP && fault.isPresent()) {
        throw new StartFailure(
            "Test commands are to run in bubblewrap (--test-sandbox), which does not work here: %s. Install bubblewrap, let it make namespaces, or choose --test-sandbox auto."
                .formatted(fault.get()));
      }
      return new Found(
          new Confinement(ownUser, fault.isEmpty() ? Optional.of(sandbox) : Optional.empty()),
          words(ownUser, fault));
    } catch (IOException e) {
      throw new StartFailure("Test commands cannot be run in %s: %s.".formatted(runs, e), e);
    }
  }

  private static String words(boolean ownUser, Optional<String> fault) {
    String who =
        ownUser
            ? "users of their own (%d to %d)".formatted(TestUser.FIRST, TestUser.LAST)
            : "the user of this service";
    return fault
        .map(
            why ->
                "test commands run as %s, without a sandbox%s"
                    .formatted(who, ownUser ? ": " + why : " (" + why + ")"))
        .orElseGet(() -> "test commands run in bubblewrap, as %s".formatted(who));
  }

  /** A user for a command, where it gets one. */
  Optional<TestUser> user(Path directory) throws IOException {
    return ownUser ? Optional.of(TestUser.take(directory)) : Optional.empty();
  }

  /** True where a command has a home of its own. */
  boolean ownHome() {
    return ownUser || sandbox.isPresent();
  }

  /**
   * The command line of a process that leads a session, and ends with the thread that starts it.
   */
  List<String> commandLine(String command, RunDirectory directory, Optional<TestUser> user)
      throws IOException {
    var shell = new ArrayList<>(Leash.session());
    shell.addAll(List.of("sh", "-c", command));
    if (sandbox.isEmpty()) {
      var words = new ArrayList<>(user.map(TestUser::words).orElse(List.of()));
      words.addAll(user.isPresent() ? List.of("--pdeathsig", "KILL", "--") : Leash.endedBy("KILL"));
      words.addAll(shell);
      return words;
    }
    var words = new ArrayList<>(Leash.endedBy("KILL"));
    words.addAll(Leash.session());
    List<String> inner = user.isPresent() ? inside(true, user.get().number(), shell) : shell;
    List<Path> readable = user.isPresent() ? List.of() : OwnObjects.borrowedBy(directory.files());
    words.addAll(sandbox.get().around(inner, directory.path(), readable, user.isPresent()));
    return words;
  }

  private static List<String> inside(boolean changesUser, int user, List<String> command) {
    if (!changesUser) {
      return command;
    }
    var words = new ArrayList<>(TestUser.words(user));
    words.add("--");
    words.addAll(command);
    return words;
  }
}
