package dev.mainstay.server.event;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.Description;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.health.Shop;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.TestRepository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A node that may send to this machine, a repository with a queue, and a receiver. */
abstract class EventScene {
  static final Map<Setting, String> OPEN = Map.of(Setting.WEBHOOK_NETWORKS, "127.0.0.0/8");

  @TempDir Path dir;
  Database.Address address;
  MovableClock clock;
  TestNode node;
  Receiver receiver;
  Shop shop;
  TestRepository git;

  @BeforeEach
  void start() throws IOException {
    address = TestDatabase.withTables();
    clock = new MovableClock();
    node = TestNode.start(address, clock, OPEN);
    receiver = new Receiver();
    shop = new Shop(node, "shop", "git.example");
    git = new TestRepository(dir);
  }

  @AfterEach
  void stop() {
    receiver.close();
    node.close();
  }

  /** An endpoint as it was made. */
  record Hook(String id, String secret) {}

  /** Makes an endpoint at a path of the receiver; {@code more} are further fields. */
  Hook hook(String path, String more) {
    JsonNode made = ok("webhooks/create", "'url':'%s'%s".formatted(receiver.address(path), more));
    return new Hook(made.at("/webhook/id").asString(), made.path("secret").asString());
  }

  JsonNode ok(String operation, String fields) {
    return ok(node, operation, fields);
  }

  JsonNode ok(TestNode at, String operation, String fields) {
    var answer = at.post("/v1/" + operation, node.token(), json(fields));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** Asks for something of the queue of main. */
  JsonNode queue(String operation, String more) {
    String repo =
        "'repo':{'host':'git.example','owner':'acme','name':'shop'},'targetBranch':'main'";
    return ok(operation, repo + (more.isEmpty() ? "" : "," + more));
  }

  JsonNode queue(String operation, int number, String more) {
    return queue(operation, "'pr':{'number':%d}%s".formatted(number, more));
  }

  static String json(String fields) {
    return ("{" + fields + "}").replace('\'', '"');
  }

  /** The commit of the run that a pull request is tested in, when its branch is there. */
  JsonNode run(int number) {
    return until(
            () -> queue("getMergeQueueTestingDetails", number, ""),
            details -> !details.at("/testRuns/0/testBranchSha").asString("").isEmpty())
        .at("/testRuns/0");
  }

  void report(int number, String state) {
    queue(
        "reportTestStatus",
        "'testRunId':'%s','name':'ci','state':'%s'"
            .formatted(run(number).path("testRunId").asString(), state));
  }

  List<JsonNode> attempts(Hook hook) {
    return ok("webhooks/attempts", "'id':'%s'".formatted(hook.id()))
        .path("attempts")
        .valueStream()
        .toList();
  }

  JsonNode shown(Hook hook) {
    return ok("webhooks/list", "")
        .path("webhooks")
        .valueStream()
        .filter(w -> w.path("id").asString().equals(hook.id()))
        .findFirst()
        .orElseThrow();
  }

  /** A new key with all rights of an organization, which comes into being with it. */
  String keyOf(String slug) {
    try (var database = Database.connect(address, 2)) {
      var access = new Access(database, clock);
      var owner = access.createOrganization(slug, slug).orElseThrow();
      var made =
          access.createKey(owner.id(), slug, "test", Set.of(Scope.values()), Optional.empty());
      return ((Access.Outcome.Made) made).made().token().text();
    }
  }

  static void assertDescribed(Receiver.Got got) {
    JsonNode schema =
        Description.DOCUMENT
            .path("webhooks")
            .path(got.type())
            .at("/post/requestBody/content/application~1json/schema");
    assertThat(Description.faults(schema, got.json())).as(got.body()).isEmpty();
    assertThat(got.body().length()).isLessThan(20_000);
  }

  static List<String> types(List<Receiver.Got> all) {
    return all.stream().map(Receiver.Got::type).toList();
  }
}
