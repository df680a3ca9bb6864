package dev.mainstay.server.health.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.health.JudgingScene;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody quarantines their own way in: whose failures make a test flaky or broken. */
class OwnWayInTest extends JudgingScene {
  private static final String COUNT = "\"kind\":\"failure_count\",\"count\":3,\"branches\":[\"*\"]";
  private static final String RATE =
      "\"kind\":\"failure_rate\",\"activation\":0.1,\"min_runs\":1,\"branches\":[\"*\"]";
  private static final String BAYESIAN =
      "\"kind\":\"bayesian\",\"activation\":0.5,\"resolution\":0.1";

  private void mainPasses(int commits) {
    for (int i = 0; i < commits; i++) {
      shop.upload(now(), "&branch=main&commit=main" + i, "adds passed");
      clock.advance(Duration.ofMinutes(10));
    }
  }

  /** Pushes a commit in which the test fails; true where the job may pass. */
  private boolean pushed(String about, String commit) {
    clock.advance(Duration.ofMinutes(10));
    boolean mayPass =
        shop.upload(now(), about + "&commit=" + commit, "adds failed")
            .json()
            .at("/verdict/may_pass")
            .asBoolean();
    judged();
    return mayPass;
  }

  @ParameterizedTest
  @ValueSource(strings = {COUNT, RATE, BAYESIAN})
  void a_pull_request_that_breaks_a_test_is_stopped_on_every_push(String monitor) {
    create(monitor);
    set("\"quarantining\":true,\"auto_quarantine\":true");
    mainPasses(9);
    for (int push = 0; push < 8; push++) {
      assertThat(pushed("&branch=feature&pr=7", "push" + push)).as("push %d", push).isFalse();
    }
    // The same pull request, in the merge queue of its forge and from the refs of another system.
    assertThat(pushed("&branch=gh-readonly-queue/main/pr-7-0a1b2c", "queued")).isFalse();
    assertThat(pushed("&branch=refs/pull/7/merge", "merged")).isFalse();
    assertThat(status("adds")).isEqualTo("healthy");
    assertThat(shop.details("adds").path("quarantined").asBoolean()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {COUNT, RATE, BAYESIAN})
  void a_branch_without_a_number_counts_as_one_pull_request(String monitor) {
    create(monitor);
    mainPasses(9);
    for (int push = 0; push < 6; push++) {
      pushed("&branch=refs/heads/feature", "push" + push);
    }
    pushed("&branch=feature", "again");
    assertThat(status("adds")).isEqualTo("healthy");
  }

  @ParameterizedTest
  @ValueSource(strings = {COUNT, RATE, BAYESIAN})
  void failures_of_unrelated_pull_requests_count(String monitor) {
    create(monitor);
    mainPasses(9);
    pushed("&branch=feature&pr=7", "a");
    pushed("&branch=feature&pr=7", "b");
    assertThat(status("adds")).isEqualTo("healthy");
    pushed("&branch=other&pr=8", "c");
    pushed("&branch=third", "d");
    // Where nothing else speaks for it, evidence is weighed from ten of them on.
    for (int other = 0; monitor.equals(BAYESIAN) && other < 7; other++) {
      assertThat(status("adds")).isEqualTo("healthy");
      pushed("&branch=feature" + other, "e" + other);
    }
    assertThat(status("adds")).isNotEqualTo("healthy");
  }

  @Test
  void a_failure_on_a_stable_branch_is_nobodys_own() {
    create(COUNT);
    mainPasses(1);
    pushed("&branch=feature&pr=7", "a");
    pushed("&branch=feature&pr=7", "b");
    pushed("&branch=main", "c");
    assertThat(status("adds")).isEqualTo("broken");
  }

  @Test
  void what_others_had_a_part_in_ends_when_only_ones_own_failures_are_left() {
    create(COUNT + ",\"window_hours\":4,\"resolution_hours\":4");
    pushed("&branch=main", "a");
    pushed("&branch=main", "b");
    pushed("&branch=feature&pr=7", "c");
    assertThat(status("adds")).isEqualTo("broken");
    for (int hour = 0; hour < 4; hour++) {
      clock.advance(Duration.ofHours(1));
      pushed("&branch=feature&pr=7", "push" + hour);
    }
    assertThat(status("adds")).isEqualTo("healthy");
  }

  @Test
  void a_rate_ends_by_time_alone_when_only_ones_own_failures_are_left() {
    create(RATE + ",\"window_hours\":4,\"resolution\":0.05");
    pushed("&branch=main", "a");
    clock.advance(Duration.ofHours(2));
    pushed("&branch=feature&pr=7", "b");
    assertThat(status("adds")).isEqualTo("flaky");
    shop.upload(now(), "&branch=main&commit=c", "adds passed");
    assertThat(status("adds")).isEqualTo("flaky");
    clock.advance(Duration.ofHours(3));
    assertThat(status("adds")).isEqualTo("healthy");
  }

  @Test
  void a_pass_on_retry_in_a_pull_request_counts_whoever_failed() {
    create(COUNT);
    for (String commit : new String[] {"a", "b", "c"}) {
      pushed("&branch=feature&pr=7&job=unit", commit);
      shop.upload(now(), "&branch=feature&pr=7&job=unit&attempt=2&commit=" + commit, "adds passed");
    }
    assertThat(status("adds")).isEqualTo("broken");
  }

  @Test
  void a_pass_in_another_job_is_no_pass_on_retry() {
    var failed = shop.upload(now(), "&branch=x&commit=c&job=windows", "adds failed");
    shop.upload(now(), "&branch=x&commit=c&job=linux", "other failed");
    var passed = shop.upload(now(), "&branch=x&commit=c&job=linux&attempt=2", "adds passed");
    var failedAgain = shop.upload(now(), "&branch=x&commit=c&job=windows&attempt=2", "adds failed");
    assertThat(failed.json().at("/verdict/may_pass").asBoolean()).isFalse();
    assertThat(passed.json().at("/counts/retried_and_passed").asInt()).isZero();
    assertThat(failedAgain.json().at("/verdict/may_pass").asBoolean()).isFalse();
    assertThat(status("adds")).isEqualTo("healthy");
    var retried = shop.upload(now(), "&branch=x&commit=c&job=windows&attempt=3", "adds passed");
    assertThat(retried.json().at("/counts/retried_and_passed").asInt()).isEqualTo(1);
    assertThat(status("adds")).isEqualTo("flaky");
  }

  @Test
  void a_retry_in_one_job_does_not_make_failures_of_another_count() {
    create(COUNT);
    String about = "&branch=feature&pr=7&commit=c&job=";
    shop.upload(now(), about + "linux", "adds failed");
    shop.upload(now(), about + "linux&attempt=2", "adds passed");
    for (int attempt = 1; attempt <= 3; attempt++) {
      shop.upload(now(), about + "windows&attempt=" + attempt, "adds failed");
    }
    assertThat(status("adds")).as("by its retry, and not broken").isEqualTo("flaky");
  }

  @Test
  void a_failure_after_a_pass_in_another_job_is_none_either() {
    shop.upload(now(), "&branch=x&commit=c&job=linux", "adds passed");
    shop.upload(now(), "&branch=x&commit=c&job=windows", "adds failed");
    assertThat(status("adds")).isEqualTo("healthy");
    shop.upload(now(), "&branch=x&commit=c&job=linux&attempt=2", "adds failed");
    assertThat(status("adds")).isEqualTo("flaky");
  }

  @Test
  void a_break_in_one_job_is_broken_and_not_flaky() {
    create("\"kind\":\"bayesian\"");
    for (int i = 0; i < 16; i++) {
      String about = "&branch=main&commit=c" + i;
      shop.upload(now(), about + "&job=linux", "adds passed");
      shop.upload(now(), about + "&job=windows", i < 8 ? "adds passed" : "adds failed");
      assertThat(status("adds")).as("after commit %d", i).isNotEqualTo("flaky");
      clock.advance(Duration.ofMinutes(10));
    }
    assertThat(status("adds")).isEqualTo("broken");
  }
}
