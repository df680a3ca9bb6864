package dev.mainstay.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.Waiting;
import dev.mainstay.server.platform.Database;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Nodes that die with events in their hands, and nodes that share them. */
class EventCrashTest {
  private static final Map<String, String> OPEN =
      Map.of(Setting.WEBHOOK_NETWORKS.variable(), "127.0.0.0/8");
  private static final String QUEUE =
      "'repo':{'host':'git.example','owner':'acme','name':'shop'},'targetBranch':'main'";

  private static NodeProcess node(Database.Address database) throws Exception {
    return NodeProcess.start(database, OpenDirectories.create(), OPEN);
  }

  private static void submit(NodeProcess node, int number) throws Exception {
    node.ok("submitPullRequest", "{%s,'pr':{'number':%d}}".formatted(QUEUE, number));
  }

  @Test
  void what_a_killed_node_had_in_hand_or_had_not_told_yet_is_delivered_by_others()
      throws Exception {
    var database = TestDatabase.withTables();
    var dead = new CountDownLatch(1);
    try (var receiver = new Receiver()) {
      receiver.behave(
          "/x",
          (exchange, got) -> {
            try {
              dead.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(204, -1);
          });
      try (NodeProcess victim = node(database)) {
        victim.ok(
            "webhooks/create",
            "{'url':'%s','kinds':['pull_request.submitted']}".formatted(receiver.address("/x")));
        victim.ok("createQueue", "{%s}".formatted(QUEUE));
        for (int number = 1; number <= 30; number++) {
          submit(victim, number);
        }
        receiver.await("/x", 1);
        victim.kill();
      }
      int inHand = receiver.at("/x").size();
      dead.countDown();
      try (NodeProcess one = node(database);
          NodeProcess other = node(database)) {
        for (int number = 31; number <= 40; number++) {
          submit(number % 2 == 0 ? one : other, number);
        }
        Set<Integer> all = new HashSet<>();
        List<Receiver.Got> got =
            Waiting.until(
                () -> receiver.at("/x"),
                some -> {
                  some.stream()
                      .skip(inHand)
                      .forEach(g -> all.add(g.data().at("/pullRequest/number").asInt()));
                  return all.size() == 40;
                });
        assertThat(got.stream().map(g -> g.header("webhook-id")).distinct()).hasSize(40);
      }
    }
  }
}
