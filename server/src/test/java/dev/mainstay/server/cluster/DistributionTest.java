package dev.mainstay.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.platform.Database;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DistributionTest {
  private static final Distribution.Progress QUIETLY = (table, number, tables) -> {};

  /** Tables that name a repository and stay on the coordinator: none of them grows with results. */
  private static final Set<String> LOCAL =
      Set.of(
          "bundle",
          "fact",
          "webhook_event",
          "repository_connection",
          "merge_queue",
          "queue_action",
          "test_command_run",
          "left_branch",
          "conversation",
          "asked",
          "pull_request_comment",
          "seen_sign",
          "state_label");

  @Test
  void every_table_with_a_repository_is_spread_or_known_to_stay() {
    try (var database = Database.connect(TestDatabase.withTables(), 1)) {
      List<String> tables =
          database.query(
              handle ->
                  handle
                      .select(
                          """
                          SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                          WHERE a.attname = 'repository_id' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                            AND c.relnamespace = current_schema()::regnamespace
                          """)
                      .mapTo(String.class)
                      .list());
      var expected = new TreeSet<>(LOCAL);
      expected.addAll(Distribution.TABLES);
      assertThat(new TreeSet<>(tables)).isEqualTo(expected);
    }
  }

  @Test
  void a_database_that_is_no_cluster_is_refused_with_what_to_do() {
    try (var database = Database.connect(TestDatabase.empty(), 1)) {
      database.migrate();
      assertThatThrownBy(() -> Distribution.distribute(database, 4, QUIETLY))
          .isInstanceOf(Distribution.Refused.class)
          .hasMessageContaining("CREATE EXTENSION citus");
      assertThat(Distribution.isDone(database)).isFalse();
    }
  }

  @Test
  void what_is_stored_is_spread_and_found_again() {
    var place = TestDatabase.together();
    assumeTrue(place.isPresent(), "MAINSTAY_TEST_DATABASE_URL names no cluster");
    var clock = new MovableClock();
    String token;
    List<String> before;
    try (var database = Database.connect(place.get(), 2)) {
      try (var node = TestNode.start(place.get(), clock)) {
        token = node.token();
        upload(node, token, "one");
        upload(node, token, "two");
        before = told(node, token);
        assertThatThrownBy(() -> Distribution.distribute(database, 4, QUIETLY))
            .hasMessageContaining("stop every node");
      }
      var said = new ArrayList<String>();
      var done = Distribution.distribute(database, 4, (table, number, tables) -> said.add(table));
      assertThat(done.spread()).isEqualTo(Distribution.TABLES).isEqualTo(said);
      assertThat(done.shards()).isEqualTo(4);
      assertThat(done.workers()).isNotEmpty();
      assertThat(Distribution.isDone(database)).isTrue();
      assertThat(Distribution.distribute(database, 8, QUIETLY).spread()).isEmpty();
    }
    try (var node = TestNode.start(place.get(), clock)) {
      assertThat(told(node, token)).isEqualTo(before);
      upload(node, token, "three");
      assertThat(told(node, token)).isNotEqualTo(before);
    }
  }

  private static void upload(TestNode node, String token, String commit) {
    var answer =
        node.post(
            "/v1/test-results?repo=h/o/n&branch=main&commit=" + commit,
            token,
            "application/xml",
            BodyPublishers.ofString(
                "<testsuite name='s'><testcase name='a'><failure/></testcase><testcase name='b'/></testsuite>"));
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
  }

  private static List<String> told(TestNode node, String token) {
    String about = "{\"repo\":{\"host\":\"h\",\"owner\":\"o\",\"name\":\"n\"}}";
    return List.of(
        node.post("/v1/uploads/list", token, about).body(),
        node.post("/v1/tests/list", token, about).body());
  }
}
