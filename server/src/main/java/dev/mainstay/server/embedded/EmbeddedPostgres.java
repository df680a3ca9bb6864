package dev.mainstay.server.embedded;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real PostgreSQL of our own in the data directory, reachable by the node's user only. It is told
 * to stop when our process dies; if it outlives us all the same, the next start stops it first.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger("postgres");
  private static final Duration START_LIMIT = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final FileChannel lock;
  private final PostgresCluster cluster;
  private final Database.Address address;
  private volatile boolean stopping;

  private EmbeddedPostgres(FileChannel lock, PostgresCluster cluster, Runnable onCrash)
      throws IOException, InterruptedException {
    this.lock = lock;
    this.cluster = cluster;
    Process process = spawn(onCrash);
    this.address = cluster.data().address(awaitReady(process));
  }

  /**
   * Starts the database of the directory, making it first if there is none; empty when another
   * process runs it. Should it end by itself later, {@code onCrash} is called.
   */
  public static Optional<EmbeddedPostgres> tryStart(DataDirectory data, Runnable onCrash) {
    return data.tryLock().map(lock -> start(lock, data, onCrash, EmbeddedPostgres::ofThisVersion));
  }

  /**
   * The same for somebody who only looks at what is there: a database of an older PostgreSQL is run
   * by that one, where its programs still are.
   */
  public static Optional<EmbeddedPostgres> tryStartAsItIs(DataDirectory data) {
    return data.tryLock().map(lock -> start(lock, data, () -> {}, PostgresBinaries::forDatabaseIn));
  }

  private interface Programs {
    Path in(DataDirectory data) throws IOException;
  }

  private static Path ofThisVersion(DataDirectory data) throws IOException {
    String ours = PostgresBinaries.majorVersion();
    String made = data.databaseVersion().orElse(ours);
    if (!made.equals(ours)) {
      throw PostgresBinaries.otherVersion(data, made, ours);
    }
    return PostgresBinaries.unpackInto(data);
  }

  private static EmbeddedPostgres start(
      FileChannel lock, DataDirectory data, Runnable onCrash, Programs programs) {
    try {
      Path home = programs.in(data);
      var user = PostgresUser.forFiles(data.cluster());
      user.checkReach(home.resolve("bin/postgres"));
      var cluster = new PostgresCluster(data, home, user);
      cluster.createIfMissing();
      cluster.stopSurvivor();
      return new EmbeddedPostgres(lock, cluster, onCrash);
    } catch (IOException e) {
      release(lock);
      throw new StartFailure("PostgreSQL cannot be started in %s: %s.".formatted(data, e), e);
    } catch (InterruptedException e) {
      release(lock);
      Thread.currentThread().interrupt();
      throw new StartFailure("Interrupted while PostgreSQL was starting.", e);
    } catch (RuntimeException e) {
      release(lock);
      throw e;
    }
  }

  public Database.Address address() {
    return address;
  }

  @Override
  public void close() {
    stopping = true;
    try {
      cluster.stop();
    } catch (IOException e) {
      log.warn("PostgreSQL could not be stopped in order: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      release(lock);
    }
  }

  /**
   * The kernel's death signal follows the thread that spawns, so that thread must live as long as
   * PostgreSQL does: it waits for its end.
   */
  private Process spawn(Runnable onCrash) throws InterruptedException {
    var spawned = new CompletableFuture<Process>();
    Thread.ofPlatform()
        .daemon()
        .name("postgres")
        .start(
            () -> {
              try {
                Process process = cluster.launch();
                spawned.complete(process);
                int exitCode = process.waitFor();
                if (!stopping) {
                  log.error("PostgreSQL ended by itself with exit code {}", exitCode);
                  onCrash.run();
                }
              } catch (IOException | InterruptedException e) {
                spawned.completeExceptionally(e);
              }
            });
    return spawned.join();
  }

  private PostmasterPid awaitReady(Process process) throws IOException, InterruptedException {
    long start = System.nanoTime();
    boolean told = false;
    while (true) {
      var postmaster =
          PostmasterPid.read(cluster.files()).filter(p -> p.ready() && p.pid() == process.pid());
      if (postmaster.isPresent()) {
        return postmaster.get();
      }
      Duration waited = Duration.ofNanos(System.nanoTime() - start);
      if (process.waitFor(20, TimeUnit.MILLISECONDS) || waited.compareTo(START_LIMIT) > 0) {
        stopping = true;
        throw new StartFailure(
            "PostgreSQL did not start in %s: %s".formatted(cluster.data(), lastWords()));
      }
      if (!told && waited.compareTo(PATIENCE) > 0) {
        log.info("PostgreSQL is still starting; after a crash it first restores what was written");
        told = true;
      }
    }
  }

  private String lastWords() throws IOException {
    try (var lines = Files.lines(cluster.startOutput())) {
      return lines.filter(line -> line.contains("FATAL")).reduce("see its log.", (a, b) -> b);
    }
  }

  private static void release(FileChannel lock) {
    try {
      lock.close();
    } catch (IOException e) {
      log.warn("the lock could not be released: {}", e.toString());
    }
  }
}
