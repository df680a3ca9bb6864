package dev.mainstay.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.health.judge.Judging;
import dev.mainstay.server.health.result.PartitionStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.Scope;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.JsonNode;

/**
 * A node with an empty database, a clock that the test moves, and judging when the test says so.
 */
public abstract class JudgingScene {
  public MovableClock clock;
  public TestNode node;
  public Database database;
  public Judging judging;
  public Shop shop;

  @BeforeEach
  void start() {
    var address = TestDatabase.withTables();
    clock = new MovableClock();
    node = TestNode.start(address, clock);
    database = Database.connect(address, 4);
    if (!weighsEvidence()) {
      TestDatabase.change(
          database,
          "monitor",
          "CREATE RULE one_at_a_time AS ON INSERT TO %s WHERE NEW.name = 'Evidence' DO INSTEAD NOTHING");
    }
    judging = new Judging(database, clock);
    shop = new Shop(node, "shop");
  }

  /**
   * Whether repositories begin with the bayesian monitor, as they do. Tests of another monitor, or
   * of what follows from any, are told by one alone.
   */
  public boolean weighsEvidence() {
    return false;
  }

  @AfterEach
  void stop() {
    database.close();
    node.close();
  }

  public Instant now() {
    return clock.instant();
  }

  /** Judges until no upload is left to look through and no test to judge, whoever does it. */
  public void judged() {
    do {
      judging.step();
    } while (number(
                "SELECT count(*) FROM result_feed f LEFT JOIN judge_cursor c USING (repository_id)"
                    + " WHERE f.stamp > coalesce(c.stamp, 0)")
            > 0
        || number("SELECT count(*) FROM judge_due") > 0
        || number("SELECT count(*) FROM test WHERE review_at <= '%s'".formatted(now())) > 0);
  }

  /** Folds the hours that are over for an hour, whoever does it. */
  public void fold() {
    Instant due = now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.HOURS);
    do {
      new RetentionWorker(database, clock, new PartitionStore(database)).round(() -> false);
    } while (number("SELECT count(*) FROM result_feed WHERE unfolded_from < '%s'".formatted(due))
        > 0);
  }

  public String status(String test) {
    judged();
    return shop.details(test).at("/status/value").asString();
  }

  /** Makes a monitor; returns its id. */
  public String create(String fields) {
    shop.upload(now(), "&commit=setup", "setup passed");
    var answer = shop.ask("/v1/monitors/create", fields);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().at("/monitor/monitor_id").asString();
  }

  /** Changes settings of the repository. */
  public JsonNode set(String fields) {
    var answer = shop.ask("/v1/repositories/set-test-settings", fields);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** A new key of an organization, which comes into being where it is not there. */
  public String key(String slug, Scope scope) {
    var access = new Access(database, clock);
    var owner =
        access.organization(slug).or(() -> access.createOrganization(slug, slug)).orElseThrow();
    var made = access.createKey(owner.id(), slug, "test", Set.of(scope), Optional.empty());
    return ((Access.Outcome.Made) made).made().token().text();
  }

  public long number(String sql) {
    return database.query(handle -> handle.select(sql).mapTo(Long.class).one());
  }
}
