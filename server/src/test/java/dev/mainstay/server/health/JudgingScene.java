package dev.mainstay.server.health;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.health.judge.Judging;
import dev.mainstay.server.platform.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

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
    var address = TestDatabase.empty();
    clock = new MovableClock();
    node = TestNode.start(address, clock);
    database = Database.connect(address, 4);
    judging = new Judging(database, clock);
    shop = new Shop(node, "shop");
  }

  @AfterEach
  void stop() {
    database.close();
    node.close();
  }
}
