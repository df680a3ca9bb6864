package dev.mainstay.bench.attack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.bench.BenchRepo;
import dev.mainstay.bench.Waiting;
import dev.mainstay.bench.attack.Attack.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Repositories that are meant to harm those who read them. */
final class GitAttacks {
  private static final int LONG_NAME = 400;
  private static final int ADDRESSES = 5;
  private static final String ADVERTISEMENT = "application/x-git-upload-pack-advertisement";

  /** The first answer of a git server. */
  private static final String WELCOME =
      "001e# service=git-upload-pack\n0000000eversion 2\n000cls-refs\n000afetch\n0000";

  private static final Duration LONGEST = Duration.ofMinutes(2);

  private GitAttacks() {}

  /** Pull requests whose trees no file system takes, beside one that is well. */
  static Outcome trees(Scene scene) throws Exception {
    Victim victim = scene.victim();
    BenchRepo repository = scene.repository("trees");
    Queue queue = Queue.on(victim, repository, "trees", "true");
    List<String> names = List.of("n".repeat(LONG_NAME), ".git", "..");
    boolean works = queue.works(100);
    List<Object> copies = identities(victim.data().resolve("work/git"));
    for (int i = 0; i < names.size(); i++) {
      hostile(repository, i + 1, names.get(i));
      queue.submit(i + 1);
    }
    var ends = new ArrayList<String>();
    for (int i = 0; i < names.size(); i++) {
      ends.add(queue.end(i + 1));
    }
    boolean worksAfter = queue.works(101);
    boolean same = copies.equals(identities(victim.data().resolve("work/git")));
    return Outcome.of(
        works && worksAfter && same && ends.stream().allMatch("FAILED"::equals),
        "a long name, .git and .. ended as %s; others land: %s; the copy stayed: %s"
            .formatted(ends, works && worksAfter, same));
  }

  private static void hostile(BenchRepo repository, int number, String name) throws IOException {
    String main = repository.commit("main");
    String blob = repository.git("x", "hash-object", "-w", "--stdin").strip();
    String tree = repository.git("100644 blob " + blob + "\t" + name + "\n", "mktree").strip();
    String commit =
        repository
            .git(
                "hostile",
                "-c",
                "user.name=Author",
                "-c",
                "user.email=author@example.org",
                "commit-tree",
                tree,
                "-p",
                main)
            .strip();
    repository.git("", "update-ref", BenchRepo.head(number), commit);
  }

  private static List<Object> identities(Path directory) throws IOException {
    var keys = new ArrayList<Object>();
    for (Path file : list(directory)) {
      keys.add(Files.getAttribute(file, "unix:ino"));
    }
    return keys;
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  /** A host that sends those who come with a password to another one. */
  static Outcome redirect(Scene scene) throws Exception {
    Victim victim = scene.victim();
    var seen = new AtomicInteger();
    var asked = new AtomicInteger();
    HttpServer thief = server();
    thief.createContext(
        "/",
        exchange -> {
          asked.incrementAndGet();
          if (exchange.getRequestHeaders().containsKey("Authorization")) {
            seen.incrementAndGet();
          }
          // So that git goes on here: with its second question it shows what it has.
          byte[] welcome = WELCOME.getBytes(StandardCharsets.US_ASCII);
          exchange.getResponseHeaders().set("Content-Type", ADVERTISEMENT);
          exchange.sendResponseHeaders(200, welcome.length);
          exchange.getResponseBody().write(welcome);
          exchange.close();
        });
    HttpServer decoy = server();
    decoy.createContext(
        "/",
        exchange -> {
          if (!exchange.getRequestHeaders().containsKey("Authorization")) {
            unknown(exchange);
            return;
          }
          String to = "http://127.0.0.1:" + thief.getAddress().getPort();
          exchange.getResponseHeaders().set("Location", to + exchange.getRequestURI());
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    try {
      String address =
          "http://user:secret@localhost:%d/acme/shop.git".formatted(decoy.getAddress().getPort());
      Map<String, Object> body =
          Map.of(
              "repo",
              Map.of("host", "attack.local", "owner", "acme", "name", "redirect"),
              "kind",
              "git",
              "address",
              address);
      int status = victim.post("connectRepository", body).status();
      Waiting.until(() -> seen.get() > 0, Duration.ofSeconds(scene.size(5, 30)));
      return Outcome.of(
          seen.get() == 0,
          "connecting was answered %d; the other host was asked %d times, %d times with the password"
              .formatted(status, asked.get(), seen.get()));
    } finally {
      decoy.stop(0);
      thief.stop(0);
    }
  }

  private static void unknown(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"x\"");
    exchange.sendResponseHeaders(401, -1);
    exchange.close();
  }

  private static HttpServer server() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    return server;
  }

  /** Many merges, and a repository that moves from one address to the next. */
  static Outcome leaks(Scene scene) throws Exception {
    Victim victim = scene.victim();
    BenchRepo repository = scene.repository("leaks");
    Queue queue = Queue.on(victim, repository, "leaks", "true");
    int merges = scene.size(60, 4_000);
    long before = 0;
    for (int i = 1; i <= merges; i++) {
      queue.submitGood(i);
      if (i % 20 == 0) {
        queue.end(i);
      }
      if (i == merges / 3) {
        before = victim.residentMebibytes();
      }
    }
    long grown = victim.residentMebibytes() - before;
    long files = openFiles(victim);
    for (int i = 0; i < ADDRESSES; i++) {
      Path moved = scene.directory().resolve("moved-" + i + ".git");
      repository.git("", "clone", "--quiet", "--mirror", ".", moved.toString());
      Map<String, Object> body = queue.fields("address", moved.toString(), "testCommand", "true");
      body.remove("targetBranch");
      victim.done("connectRepository", body);
      BenchRepo there = BenchRepo.at(moved);
      there.open(BenchRepo.head(merges + 1 + i), merges + 1 + i, "moved-" + i);
      queue.submit(merges + 1 + i);
      queue.end(merges + 1 + i);
    }
    Path copies = victim.data().resolve("work/git");
    boolean freed =
        Waiting.until(() -> list(copies).size() <= 2 && children(victim, "cat-file") <= 2, LONGEST);
    return Outcome.of(
        freed && grown < 150 && openFiles(victim) < files + 20,
        "%d MiB more after %d merges; after %d addresses: %d copies, %d readers of git, %d more open files"
            .formatted(
                grown,
                merges,
                ADDRESSES,
                list(copies).size(),
                children(victim, "cat-file"),
                openFiles(victim) - files));
  }

  private static long openFiles(Victim victim) throws IOException {
    return list(Path.of("/proc/" + victim.pid() + "/fd")).size();
  }

  private static long children(Victim victim, String argument) {
    return ProcessHandle.of(victim.pid()).stream()
        .flatMap(ProcessHandle::descendants)
        .filter(p -> p.info().arguments().map(a -> List.of(a).contains(argument)).orElse(false))
        .count();
  }
}
