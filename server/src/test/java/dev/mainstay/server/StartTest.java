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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@Order(1)
class StartTest {
  /** The number of messages varies with the connections that are made beside. */
  private static final int SURELY = 10;

  private static final int IN_TABLES = 5;

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
    int tables = messagesOf(address -> Storage.ofNode(TestNode.config(address), () -> {}).close());
    int messages = messagesOf(address -> firstStart(address, new ArrayList<>()));
    assertThat(messages).isGreaterThan(tables + 4);
    // Tables come in one transaction: a kill in its middle is like any other in it.
    for (int passed = 0; passed < tables - SURELY; passed += IN_TABLES) {
      killAfter(passed);
    }
    for (int passed = Math.max(0, tables - SURELY); passed <= messages; passed++) {
      killAfter(passed);
    }
  }

  private static int messagesOf(Consumer<Database.Address> start) throws IOException {
    var address = TestDatabase.empty();
    try (var proxy = new TcpProxy(address, Integer.MAX_VALUE)) {
      start.accept(proxy.through(address));
      return proxy.passed();
    }
  }

  private static void killAfter(int messages) throws IOException {
    var address = TestDatabase.empty();
    var shown = new ArrayList<Token>();
    try (var proxy = new TcpProxy(address, messages)) {
      firstStart(proxy.through(address), shown);
    } catch (RuntimeException e) {
      // Killed.
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
      assertThatThrownBy(() -> Mainstay.start(config, Clock.systemUTC(), made -> {}, () -> {}))
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
    Mainstay.start(Config.read(options, environment), new MovableClock(), made -> {}, () -> {})
        .close();
    try (var node = TestNode.start(address, new MovableClock())) {
      assertThat(node.get("/v1/whoami", token).json().path("organization").asString())
          .isEqualTo("acme");
    }
  }
}
