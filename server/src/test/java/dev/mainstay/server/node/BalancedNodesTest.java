package dev.mainstay.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.platform.Database;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several nodes on one database behind a real load balancer, which come, go, and are killed. */
class BalancedNodesTest {
  private static final Map<String, String> BEHIND =
      Map.of(
          Setting.TRUSTED_PROXIES.variable(), "127.0.0.1",
          Setting.DATABASE_CONNECTIONS.variable(), "8",
          Setting.SHUTDOWN_DELAY.variable(), "5",
          Setting.WEBHOOK_NETWORKS.variable(), "127.0.0.0/8");

  private static NodeProcess node(Database.Address database) throws IOException {
    return NodeProcess.start(database, OpenDirectories.create(), BEHIND);
  }

  @Test
  void nodes_join_and_leave_unnoticed_and_what_a_killed_one_had_in_hand_is_done_by_others()
      throws Exception {
    try (var balancer = Balancer.start()) {
      var database = TestDatabase.withTables();
      var clients = new Clients(balancer.port(), answer -> false);
      try (var one = node(database);
          var two = node(database);
          var goings = new Goings(clients, balancer.port())) {
        balancer.join("node1", one);
        goings.begin();
        balancer.join("node2", two);
        goings.getOn();
        one.stop();
        balancer.awaitGone("node1");
        goings.getOn();
        assertThat(clients.lost).as("told while nodes came and went").isEmpty();
        try (var three = node(database)) {
          balancer.join("node3", three);
          goings.getOn();
          two.kill();
          goings.getOn();
          try (var four = node(database)) {
            balancer.join("node1", four);
            three.kill();
            goings.getOn();
            goings.checkAll();
          }
        }
        assertThat(clients.faults).isEmpty();
      }
    }
  }
}
