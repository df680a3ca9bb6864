package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.KeyRing;
import dev.mainstay.server.access.Token;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@Order(1)
class StartTest {
  private static final int IN_TABLES = 9;

  /** The messages of a login. A start that cannot log in tries for seconds, and does nothing. */
  private static final int LOGIN = 5;

  @Test
  void several_nodes_that_start_at_once_make_one_organization_and_one_key() throws Exception {
    var address = TestDatabase.empty();
    List<Callable<TestNode>> starts =
        IntStream.range(0, 3)
            .<Callable<TestNode>>mapToObj(i -> () -> TestNode.start(address, new MovableClock()))
            .toList();
    var nodes = new ArrayList<TestNode>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var start : threads.invokeAll(starts)) {
        nodes.add(start.get());
      }
    }
    List<String> tokens = nodes.stream().map(TestNode::token).filter(t -> !t.isEmpty()).toList();
    assertThat(tokens).hasSize(1);
    for (var node : nodes) {
      assertThat(node.get("/v1/whoami", tokens.getFirst()).status()).isEqualTo(200);
    }
    nodes.forEach(TestNode::close);
  }

  @Test
  void a_kill_at_any_moment_of_the_first_start_leaves_one_key_which_was_shown() throws IOException {
    // Tables come in one transaction: a kill in its middle is like any other in it.
    int passed = 0;
    while (killAfter(passed, TestDatabase.empty()).killed()) {
      passed += IN_TABLES;
    }
    assertThat(passed).isGreaterThan(2 * IN_TABLES);
    var keysShown = new TreeSet<Integer>();
    Start start;
    passed = LOGIN;
    do {
      start = killAfter(passed++, TestDatabase.withTables());
      keysShown.add(start.keysShown());
    } while (start.killed());
    assertThat(keysShown).as("2: a key was shown, but not kept").containsExactly(1, 2);
  }

  /** How a start went, and how many keys were shown by it and the next. */
  private record Start(boolean killed, int keysShown) {}

  private static Start killAfter(int messages, Database.Address address) throws IOException {
    var shown = new ArrayList<Token>();
    boolean killed = false;
    try (var proxy = new TcpProxy(address, messages)) {
      firstStart(proxy.through(address), shown);
    } catch (RuntimeException e) {
      killed = true;
    }
    firstStart(address, shown);
    try (var database = Database.connect(address, 2);
        var ring = new KeyRing(database, Clock.systemUTC())) {
      var access = new Access(database, Clock.systemUTC());
      assertThat(access.organizations()).as("after %d messages", messages).hasSize(1);
      assertThat(access.keys(access.organizations().getFirst().id())).hasSize(1);
      assertThat(ring.authenticate(shown.getLast().text()))
          .as("the key shown last works, after %d messages", messages)
          .isPresent();
    }
    return new Start(killed, shown.size());
  }

  private static void firstStart(Database.Address address, List<Token> shown) {
    try (var storage = Storage.ofNode(TestNode.config(address), () -> {})) {
      new Access(storage.database(), Clock.systemUTC())
          .firstStart("default", Optional.empty(), made -> shown.add(made.token()));
    }
  }

  @Test
  void a_database_of_a_newer_version_is_refused_in_one_sentence() {
    var address = TestDatabase.empty();
    TestNode.start(address, new MovableClock()).close();
    try (var database = Database.connect(address, 2)) {
      database.query(
          handle ->
              handle.execute("INSERT INTO migration (number, script) VALUES (999, 'future')"));
    }
    assertThatThrownBy(() -> TestNode.start(address, new MovableClock()))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("newer Mainstay")
        .hasMessageContaining("999");
  }

  @Test
  void a_database_that_does_not_answer_is_told_in_one_sentence() throws IOException {
    var address = TestDatabase.empty();
    var proxy = new TcpProxy(address, 0);
    proxy.close();
    assertThatThrownBy(() -> TestNode.start(proxy.through(address), new MovableClock()))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("cannot be reached")
        .hasMessageNotContaining(address.password());
  }

  @Test
  void a_taken_port_is_told_before_anything_is_started() throws IOException, ExecutionException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var options = TestNode.options(TestDatabase.empty());
      options.put(Config.Setting.PORT, String.valueOf(taken.getLocalPort()));
      var config = Config.read(options, java.util.Map.of());
      assertThatThrownBy(() -> Mainstay.start(config, made -> {}, () -> {}))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("port " + taken.getLocalPort())
          .hasMessageContaining("--port");
    }
  }

  @Test
  void a_chosen_token_and_organization_are_set_at_the_first_start() {
    var address = TestDatabase.empty();
    var options = TestNode.options(address);
    var token = "a-token-chosen-by-the-operator-0123456789";
    var environment = java.util.Map.of("MAINSTAY_TOKEN", token, "MAINSTAY_ORG", "acme");
    Mainstay.start(
            Config.read(options, environment), database -> new MovableClock(), made -> {}, () -> {})
        .close();
    try (var node = TestNode.start(address, new MovableClock())) {
      assertThat(node.get("/v1/whoami", token).json().path("organization").asString())
          .isEqualTo("acme");
    }
  }
}
