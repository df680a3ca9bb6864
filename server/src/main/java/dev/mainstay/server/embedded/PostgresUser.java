package dev.mainstay.server.embedded;

import dev.mainstay.server.platform.Leash;
import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The user that runs PostgreSQL, which refuses to run as root: ourselves, or when we are root the
 * owner of the database files, or for new ones the user {@code mainstay} if there is one, else
 * {@code nobody}.
 */
record PostgresUser(Optional<Account> insteadOfRoot) {
  private static final int ROOT = 0;

  record Account(String name, int uid, int gid) {}

  static PostgresUser forFiles(Path cluster) throws IOException {
    if (!Leash.isThere()) {
      return ofOtherSystem(System.getProperty("user.name"));
    }
    if (ownerOf(Path.of("/proc/self")) != ROOT) {
      return new PostgresUser(Optional.empty());
    }
    int owner = Files.exists(cluster) ? ownerOf(cluster) : ROOT;
    Optional<Account> account =
        owner != ROOT
            ? account(a -> a.uid() == owner)
            : account(a -> a.name().equals("mainstay"))
                .or(() -> account(a -> a.name().equals("nobody")));
    if (account.isEmpty()) {
      throw new StartFailure(
          "PostgreSQL does not run as root and there is no user for it; add one (useradd --system mainstay) or run this as an ordinary user.");
    }
    if (owner == ROOT && Files.exists(cluster)) {
      throw new StartFailure(
          "The database in %s belongs to root, as after a copy without owners (`cp -a` keeps them), and PostgreSQL does not run as root: `cd %1$s && chown -R %s database database-password postgres-logs` mends it."
              .formatted(cluster.getParent(), account.get().name()));
    }
    return new PostgresUser(account);
  }

  /** Elsewhere than on Linux nobody is made another. */
  static PostgresUser ofOtherSystem(String user) {
    if (user.equals("root")) {
      throw new StartFailure("PostgreSQL does not run as root: run this as an ordinary user.");
    }
    return new PostgresUser(Optional.empty());
  }

  /**
   * The command, run as this user and told to stop (SIGINT) when the thread that starts it ends.
   */
  List<String> command(List<String> command) {
    var whole = new ArrayList<String>();
    insteadOfRoot.ifPresentOrElse(
        user -> {
          whole.addAll(List.of("setpriv", "--pdeathsig", "INT", "--reuid", "" + user.uid()));
          whole.addAll(List.of("--regid", "" + user.gid(), "--clear-groups", "--"));
        },
        () -> whole.addAll(Leash.endedBy("INT")));
    whole.addAll(command);
    return whole;
  }

  void give(Path file) throws IOException {
    if (insteadOfRoot.isPresent()) {
      Files.setAttribute(file, "unix:uid", insteadOfRoot.get().uid());
      Files.setAttribute(file, "unix:gid", insteadOfRoot.get().gid());
    }
  }

  /**
   * Refuses programs that this user cannot reach: root's home, for example, is closed to everybody
   * else.
   */
  void checkReach(Path program) throws IOException, InterruptedException {
    if (insteadOfRoot.isEmpty()) {
      return;
    }
    var test = new ProcessBuilder(command(List.of("test", "-x", program.toString()))).start();
    if (test.waitFor() != 0) {
      throw new StartFailure(
          "PostgreSQL runs as user %s, who cannot reach %s; choose a directory everybody may enter with --data-dir, such as /var/lib/mainstay."
              .formatted(insteadOfRoot.get().name(), program.getParent()));
    }
  }

  private static int ownerOf(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid");
  }

  private static Optional<Account> account(Predicate<Account> wanted) {
    try (var lines = Files.lines(Path.of("/etc/passwd"))) {
      return lines
          .map(line -> line.split(":", -1))
          .filter(f -> f.length > 3 && f[2].matches("\\d+") && f[3].matches("\\d+"))
          .map(
              f ->
                  new Account(f[0], Integer.parseUnsignedInt(f[2]), Integer.parseUnsignedInt(f[3])))
          .filter(wanted)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
