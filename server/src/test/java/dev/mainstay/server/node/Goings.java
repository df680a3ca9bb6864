package dev.mainstay.server.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.Waiting;
import dev.mainstay.server.event.Receiver;
import dev.mainstay.server.forge.git.AuthorClone;
import dev.mainstay.server.forge.github.GitHubDoor;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.queue.TestRepository;
import dev.mainstay.server.web.Visitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;

/**
 * All that goes on at a service at once: a CI that uploads, a forge that calls hooks, authors who
 * submit pull requests, somebody who follows the queue's page, and an endpoint for events. It can
 * be waited for that each of them gets on, and looked at afterwards whether anything was lost.
 */
final class Goings implements AutoCloseable {
  private static final String SECRET = "hook-secret-hook-secret-hook-secret";
  private static final Map<String, ?> REPO =
      Map.of("host", "github.example", "owner", "acme", "name", "app");
  private static final Map<String, ?> QUEUE = Map.of("repo", REPO, "targetBranch", "main");
  private static final String PAGE = "/default/github.example/acme/app/queues/main";
  private static final Pattern LIVE =
      Pattern.compile("name=\"mainstay-live\" content=\"([^\"]+)\"");
  private static final int MOST_OPEN = 4;
  private static final int UPLOADS_PER_HOOK = 5;

  private final Clients clients;
  private final int port;
  private final GitHubDoor github;
  private final TestRepository repository;
  private final Receiver receiver = new Receiver();
  private final List<Thread> threads = new ArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final List<Integer> uploaded = new CopyOnWriteArrayList<>();
  private final List<Integer> submitted = new CopyOnWriteArrayList<>();
  private final AtomicInteger hooks = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();
  private volatile boolean ending;

  Goings(Clients clients, int port) throws IOException {
    this.clients = clients;
    this.port = port;
    Path root = OpenDirectories.create();
    repository = new TestRepository(Files.createDirectory(root.resolve("acme")));
    github = new GitHubDoor(root);
  }

  /** Connects the repository, makes its queue, and begins. */
  void begin() {
    clients.ok(
        "connectRepository",
        Map.of(
            "repo",
            REPO,
            "address",
            github.address(),
            "kind",
            "github",
            "credentials",
            Map.of(
                "app",
                Map.of("id", GitHubDoor.APP, "privateKey", github.appKey(), "hookSecret", SECRET)),
            "testCommand",
            "true"));
    clients.ok(
        "webhooks/create",
        Map.of("url", receiver.address("/merged"), "kinds", List.of("pull_request.merged")));
    var settings = new HashMap<String, Object>(QUEUE);
    settings.put("concurrency", MOST_OPEN);
    clients.ok("createQueue", settings);
    var visitor = Visitor.signedIn(port, NodeProcess.TOKEN);
    go("uploads", () -> upload(uploaded.size() + 1));
    go("hooks", this::hook);
    go("authors", this::submit);
    go("viewer", () -> look(visitor));
  }

  private void go(String name, Runnable round) {
    threads.add(
        Thread.ofPlatform()
            .name(name)
            .start(
                () -> {
                  try {
                    while (!ending) {
                      round.run();
                    }
                  } catch (RuntimeException | Error e) {
                    failures.add(e);
                  }
                }));
  }

  private void upload(int number) {
    clients.upload(query(number), report(number));
    uploaded.add(number);
  }

  private static String query(int number) {
    return "repo=github.example/acme/app&branch=main&commit=c" + number;
  }

  private static String report(int number) {
    return "<testsuite name=\"s\"><testcase classname=\"Cart\" name=\"test %d\"/></testsuite>"
        .formatted(number);
  }

  private void hook() {
    byte[] body =
        Json.write(
            Map.of("action", "completed", "repository", Map.of("full_name", GitHubDoor.PATH)));
    clients.send(
        clients
            .request("/hooks/github")
            .header("content-type", "application/json")
            .header("X-GitHub-Event", "push")
            .header("X-Hub-Signature-256", "sha256=" + signature(body))
            .POST(BodyPublishers.ofByteArray(body)));
    int called = hooks.incrementAndGet();
    // A forge calls when something happens, not as fast as it can.
    Waiting.until(() -> ending || uploaded.size() > called * UPLOADS_PER_HOOK, then -> then);
  }

  private static String signature(byte[] body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void submit() {
    int number = github.number();
    String head = repository.open(number, "" + number).value();
    String branch = "change-" + number;
    AuthorClone.run(repository.path(), new byte[0], "update-ref", "refs/heads/" + branch, head);
    github.open(number, Optional.of(branch), "Change " + number, head);
    var body = new HashMap<String, Object>(QUEUE);
    body.put("pr", Map.of("number", number));
    clients.ok("submitPullRequest", body);
    submitted.add(number);
    Waiting.until(() -> ending || submitted.size() - landed() < MOST_OPEN, few -> few);
  }

  /** Follows the page as a browser does: reads it, and again when it is told to. */
  private void look(Visitor visitor) {
    try {
      Visitor.Seen page = visitor.look(PAGE);
      var live = LIVE.matcher(page.body());
      if (page.status() != 200 || !live.find()) {
        clients.note(PAGE, page.answer());
        return;
      }
      try (var stream = visitor.followAt(live.group(1))) {
        if (stream.status() == 200 && stream.next().equals("changed")) {
          changes.incrementAndGet();
        }
      }
    } catch (UncheckedIOException e) {
      clients.lost.add(PAGE + " " + e);
    }
  }

  private int landed() {
    return (int) submitted.stream().filter(number -> github.shown(number).merged()).count();
  }

  /** Waits until everybody has got on. */
  void getOn() {
    int[] before = counts();
    Waiting.until(
        () -> {
          assertThat(failures).isEmpty();
          int[] now = counts();
          return now[0] > before[0] + 2
              && now[1] > before[1]
              && now[2] > before[2]
              && now[3] > before[3];
        },
        well -> well);
  }

  private int[] counts() {
    return new int[] {uploaded.size(), hooks.get(), landed(), changes.get()};
  }

  /** Lets all come to its end, and looks whether anything is missing or was done twice. */
  void checkAll() throws InterruptedException {
    ending = true;
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    Waiting.until(() -> submitted.size() - landed(), open -> open == 0);
    List<String> onMain = repository.subjects();
    assertThat(onMain).doesNotHaveDuplicates().hasSize(submitted.size() + 1);
    Waiting.until(() -> told(), told -> told.containsAll(submitted));
    for (int number : uploaded) {
      JsonNode again = clients.upload(query(number), report(number));
      assertThat(again.path("duplicate").asBoolean()).as("upload %d", number).isTrue();
    }
    System.out.printf(
        "%d uploads, %d hooks, %d pull requests, %d changes seen; lost on the way: %s%n",
        uploaded.size(), hooks.get(), submitted.size(), changes.get(), clients.lost);
  }

  /** The pull requests whose landing was told outside. */
  private List<Integer> told() {
    return receiver.at("/merged").stream()
        .map(got -> got.data().at("/pullRequest/number").asInt())
        .toList();
  }

  @Override
  public void close() {
    ending = true;
    receiver.close();
    threads.forEach(Thread::interrupt);
    github.close();
  }
}
