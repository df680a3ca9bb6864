package dev.mainstay.server.health.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.health.JudgingScene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a repository that nobody has set up is told about its tests. */
class FirstMonitorsTest extends JudgingScene {
  @Override
  public boolean weighsEvidence() {
    return true;
  }

  private List<String> kinds() {
    var kinds = new ArrayList<String>();
    shop.ask("/v1/monitors/list", "")
        .json()
        .path("monitors")
        .forEach(monitor -> kinds.add(monitor.path("kind").asString()));
    return kinds;
  }

  private void uploaded(String commit, String... results) {
    clock.advance(Duration.ofMinutes(20));
    shop.upload(now(), "&branch=main&commit=" + commit, results);
  }

  @Test
  void a_repository_begins_with_pass_on_retry_and_bayesian() {
    shop.upload(now(), "&commit=c", "adds passed");
    assertThat(kinds()).containsExactly("pass_on_retry", "bayesian");
  }

  @Test
  void one_that_has_begun_keeps_what_it_has() {
    shop.upload(now(), "&commit=c", "adds passed");
    judged();
    database.query(handle -> handle.execute("DELETE FROM monitor WHERE name = 'Evidence'"));
    shop.upload(now(), "&commit=d", "adds passed");
    judged();
    assertThat(kinds()).containsExactly("pass_on_retry");
  }

  @Test
  void what_is_broken_is_called_so_with_the_commit_and_the_runs_since() {
    for (int i = 0; i < 20; i++) {
      uploaded("c" + i, "adds passed", "other passed");
    }
    uploaded("d0", "adds failed", "other passed");
    assertThat(status("adds")).isEqualTo("healthy");
    uploaded("d1", "adds failed", "other passed");
    uploaded("d2", "adds failed", "other passed");
    assertThat(status("adds")).isEqualTo("broken");
    assertThat(shop.details("adds").at("/status/reason").asString())
        .isEqualTo("Fails on main since commit d0, the first after c19: in 3 of 3 runs.");
    uploaded("d3", "adds failed", "other passed");
    judged();
    JsonNode broken = shop.details("adds").path("status");
    assertThat(broken.path("reason").asString()).endsWith("in 4 of 4 runs.");
    uploaded("e", "adds passed", "other passed");
    assertThat(status("adds")).isEqualTo("healthy");
    assertThat(shop.details("adds").at("/status/reason").asString())
        .isEqualTo("Recovered: passes again on main since commit e.");
  }

  @Test
  void an_outage_that_was_retried_flags_nobody() {
    String[] failed = new String[30];
    String[] passed = new String[30];
    for (int i = 0; i < failed.length; i++) {
      failed[i] = "t" + i + (i < 12 ? " failed" : " passed");
      passed[i] = "t" + i + " passed";
    }
    uploaded("c", failed);
    clock.advance(Duration.ofMinutes(20));
    shop.upload(now(), "&branch=main&commit=c&attempt=2", passed);
    judged();
    assertThat(number("SELECT count(*) FROM test WHERE status <> 'healthy'")).isZero();
  }
}
