package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.TcpProxy;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.connection.Connections;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.BareRepository;
import dev.mainstay.server.forge.git.GitHttpServer;
import dev.mainstay.server.forge.git.RecordingServer;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** How far a node goes for whoever connects a repository: its disk, its networks, hooks. */
class GitReachTest {
  private final Database.Address database = TestDatabase.withTables();
  private final TcpProxy proxy = new TcpProxy(database, Integer.MAX_VALUE);
  @TempDir private Path dir;
  private Path roots;
  private TestRepository inside;
  private TestRepository outside;
  private final List<TestNode> nodes = new ArrayList<>();

  @BeforeEach
  void makeRepositories() throws IOException {
    roots = Files.createDirectory(dir.resolve("roots"));
    inside = new TestRepository(roots);
    outside = new TestRepository(Files.createDirectory(dir.resolve("elsewhere")));
  }

  @AfterEach
  void stop() throws IOException {
    nodes.forEach(TestNode::close);
    proxy.close();
  }

  private void start(Map<Setting, String> settings) {
    nodes.add(TestNode.start(database, new MovableClock(), settings));
  }

  /** The node that was started last; the key is of the first. */
  private TestNode node() {
    return nodes.getLast();
  }

  private QueueCalls queue() {
    return new QueueCalls(node(), nodes.getFirst().token(), "reach", "main");
  }

  private Answer connect(String address) {
    return queue().call("connectRepository", "'address':'%s'".formatted(address));
  }

  private void refusedAt(String address, String words) {
    Answer answer = connect(address);
    assertThat(answer.body()).as(address).contains(words);
    refused(answer, 409, "repository_unreachable");
  }

  @Test
  void over_http_a_path_is_taken_below_the_roots_alone() throws IOException {
    start(Map.of(Setting.GIT_ROOTS, "/nowhere:" + roots));
    Files.createSymbolicLink(roots.resolve("link.git"), outside.path());
    for (String address :
        List.of(
            outside.address(),
            "file://" + outside.address(),
            roots + "/../elsewhere/app.git",
            roots + "/link.git",
            "file://" + roots + "/%2e%2e/elsewhere/app.git",
            roots + "/none.git",
            roots.toString())) {
      refusedAt(address, "MAINSTAY_GIT_ROOTS");
    }
    assertThat(connect(inside.address()).status()).isEqualTo(200);
    assertThat(connect("file://" + inside.address()).status()).isEqualTo(200);
  }

  @Test
  void without_roots_only_whoever_has_the_machine_connects_a_path_and_the_check_says_so() {
    assertThat(Reach.usual().fault(outside.address()).orElseThrow()).contains("repo connect");
    start(Map.of(Setting.GIT_ROOTS, "/nowhere"));
    refusedAt(outside.address(), "MAINSTAY_GIT_ROOTS");
    // As the command `mainstay repo connect` does it, on the database itself.
    try (var connected = Database.connect(database, 2);
        var rooms =
            new MergeQueues(connected, Clock.systemUTC(), dir.resolve("work"), Reach.usual())) {
      long organization =
          connected.query(
              h -> h.select("SELECT min(id) FROM organization").mapTo(Long.class).one());
      assertThat(
              rooms
                  .queues()
                  .connections()
                  .connect(
                      organization,
                      new RepoName("git.example", "acme", "reach"),
                      outside.address(),
                      Optional.empty(),
                      Duration.ofMinutes(5)))
          .isInstanceOf(Connections.Connected.class);
    }
    JsonNode check = queue().ok("checkRepository");
    assertThat(check.path("ok").asBoolean()).isTrue();
    assertThat(check.at("/findings/0/level").asString()).isEqualTo("ADVICE");
    assertThat(check.at("/findings/0/message").asString()).contains("MAINSTAY_GIT_ROOTS");
  }

  private Stream<String> hostsNeverAsked() {
    return Stream.of(
        "169.254.169.254",
        "169.254.1.1:8080",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "100.100.100.200",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "2852039166",
        "0xA9FEA9FE",
        "0251.0376.0251.0376",
        "169.16689662");
  }

  @Test
  void addresses_of_one_machine_and_its_own_ports_are_never_asked() {
    nodes.add(TestNode.start(proxy.through(database), new MovableClock(), Map.of()));
    Stream<String> own =
        Stream.of("127.0.0.1", "localhost", "127.0.0.2", "0.0.0.0", "[::ffff:127.0.0.1]")
            .map(host -> host + ":" + node().port());
    Stream.concat(hostsNeverAsked(), Stream.concat(own, Stream.of("127.0.0.1:" + proxy.port())))
        .forEach(
            host -> {
              refusedAt("http://" + host + "/app.git", "is not asked");
              refusedAt("ssh://" + host + "/app.git", "is not asked");
              Answer hosted =
                  queue()
                      .call(
                          "connectRepository",
                          "'address':'http://%s/acme/app','kind':'gitea','credentials':{'token':'t'}"
                              .formatted(host));
              assertThat(hosted.body()).as(host).contains("is not asked");
            });
  }

  @Test
  void private_networks_are_open_until_the_operator_closes_them_but_some() {
    try (var server = new GitHttpServer(roots)) {
      String address = server.address(inside.path(), "bot:s3cr3t@");
      start(Map.of(Setting.GIT_NETWORKS, "none"));
      refusedAt(address, "MAINSTAY_GIT_NETWORKS");
      refusedAt("http://10.1.2.3/app.git", "MAINSTAY_GIT_NETWORKS");
      start(Map.of(Setting.GIT_NETWORKS, "10.0.0.0/8, 127.0.0.0/8, ::1"));
      queue().ok("connectRepository", "'address':'%s'".formatted(address));
      String named = address.replace("127.0.0.1", "localhost");
      queue().ok("connectRepository", "'address':'%s'".formatted(named));
    }
  }

  @Test
  void an_answer_that_is_no_repository_is_no_connection() throws IOException {
    start(Map.of());
    try (var polite = new RecordingServer(exchange -> exchange.sendResponseHeaders(200, -1));
        var page =
            new RecordingServer(
                exchange -> {
                  exchange.sendResponseHeaders(200, 0);
                  exchange.getResponseBody().write("<html>".getBytes(UTF_8));
                })) {
      refusedAt(polite.address() + "/app.git", "no git repository");
      refusedAt(page.address() + "/app.git", "no git repository");
    }
    Files.createDirectories(roots.resolve("no.git/objects"));
    refusedAt(roots + "/no.git", "no git repository");
    Path empty = Files.createDirectory(roots.resolve("empty.git"));
    new BareRepository(empty).run("init", "--bare", "--quiet");
    assertThat(connect(empty.toString()).status()).isEqualTo(200);
  }

  @Test
  void hooks_of_a_repository_on_the_disk_run_only_where_the_operator_wants_them() throws Exception {
    Path mark = dir.resolve("mark");
    new BareRepository(inside.path()).hook("post-receive", "echo ran >> " + mark + "\n");
    new BareRepository(inside.path()).run("config", "core.hooksPath", inside.path() + "/hooks");
    Path data = OpenDirectories.create();
    start(Map.of(Setting.DATA_DIR, "" + data));
    QueueCalls calls = queue();
    calls.ok("connectRepository", "'address':'%s'".formatted(inside.address()));
    calls.ok("createQueue", "'requiredStatuses':[]");
    land(calls, 1);
    assertThat(mark).doesNotExist();
    try (Stream<Path> files = Files.walk(data)) {
      Path settings = files.filter(f -> f.endsWith("settings")).findFirst().orElseThrow();
      assertThat(settings).content().contains(inside.address()).doesNotContain("*");
    }
    node().close();
    start(Map.of(Setting.GIT_HOOKS, "on"));
    land(queue(), 2);
    assertThat(mark).exists();
  }

  private void land(QueueCalls calls, int pr) {
    inside.open(pr, "1");
    calls.ok("submitPullRequest", pr);
    until(
        () -> calls.ok("getSubmittedPullRequest", pr),
        shown -> shown.path("state").asString().equals("MERGED"));
  }
}
