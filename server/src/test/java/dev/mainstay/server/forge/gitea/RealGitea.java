package dev.mainstay.server.forge.gitea;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Waiting;
import dev.mainstay.server.forge.git.copy.CacheDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A real Gitea on this machine, one for all tests of a JVM, which ends with it. */
final class RealGitea {
  /** The one who administrates the server and owns every repository. */
  static final String OWNER = "owner";

  private static final String PASSWORD = "not-a-secret-1";
  private static final AtomicInteger REPOSITORIES = new AtomicInteger();

  private static @Nullable RealGitea running;

  private final Path work;
  private final GiteaProgram program;
  private final int port;
  private final GiteaCalls owner;

  private RealGitea(GiteaProgram program, Path work, int port, String token) {
    this.work = work;
    this.program = program;
    this.port = port;
    this.owner = new GiteaCalls(address(), token);
  }

  /** The folder that {@code bench/gitea} made and {@code MAINSTAY_GITEA} names. */
  static Optional<Path> named() {
    return Optional.ofNullable(System.getenv("MAINSTAY_GITEA"))
        .filter(folder -> !folder.isEmpty())
        .map(Path::of);
  }

  /** The server, started by whoever asks first. */
  static synchronized RealGitea get() {
    if (running == null) {
      Path folder = named().orElseThrow();
      assertThat(folder.resolve("gitea")).as("bench/gitea builds it").isExecutable();
      running = start(folder);
    }
    return running;
  }

  private static RealGitea start(Path folder) {
    try {
      Path work = Files.createTempDirectory("gitea");
      int port = GiteaProgram.freePort();
      var program = new GiteaProgram(folder, work, port);
      program.configure();
      program.run("migrate");
      program.addUser(OWNER, PASSWORD, true);
      String token = program.token(OWNER);
      Process process = program.serve();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process, work)));
      var gitea = new RealGitea(program, work, port, token);
      Waiting.until(() -> process.isAlive() && gitea.owner.answers("version"), ready -> ready);
      return gitea;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void stop(Process process, Path work) {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    process.destroyForcibly().onExit().join();
    all.forEach(ProcessHandle::destroyForcibly);
    try {
      CacheDirectory.deleteRecursively(work);
    } catch (IOException e) {
      // A file that is left in the temporary directory harms nobody.
    }
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  /** The API, as the owner of everything. */
  GiteaCalls owner() {
    return owner;
  }

  /** A name for a repository that none has. */
  static String newName() {
    return "app" + REPOSITORIES.incrementAndGet();
  }

  /** The API, as somebody of this name, who is made where there is none. */
  GiteaCalls as(String login) {
    if (!owner.answers("users/" + login)) {
      program.addUser(login, PASSWORD, false);
    }
    return new GiteaCalls(address(), program.token(login));
  }

  String token(String login, String... scopes) {
    return program.token(login, scopes);
  }

  /** The place of a repository on this machine. */
  Path disk(String login, String repository) {
    return work.resolve("data/gitea-repositories").resolve(login).resolve(repository + ".git");
  }

  @Override
  public String toString() {
    return work + " at " + address();
  }
}
