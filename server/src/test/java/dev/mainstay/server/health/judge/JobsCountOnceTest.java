package dev.mainstay.server.health.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.health.JudgingScene;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What counts in the monitors of failures: each case of a job once, on stable branches. */
class JobsCountOnceTest extends JudgingScene {
  private static final String COUNT = "\"kind\":\"failure_count\",\"count\":3";

  /** Sends one case of the test {@code adds} on a commit of main. */
  private void report(String commit, String children) {
    form(commit, "a.xml", children);
  }

  /** Sends cases as files, each a path and what is in the case. */
  private void form(String commit, String... files) {
    var body = new StringBuilder();
    for (int i = 0; i < files.length; i += 2) {
      body.append("--limit\r\nContent-Disposition: form-data; name=\"f\"; filename=\"")
          .append(files[i])
          .append("\"\r\n\r\n<testsuite name='Suite'>")
          .append("<testcase classname='C' file='src/adds.py' name='adds'>")
          .append(files[i + 1])
          .append("</testcase></testsuite>\r\n");
    }
    var answer =
        node.post(
            "/v1/test-results?repo=github.com/acme/shop&branch=main&commit=" + commit,
            node.token(),
            "multipart/form-data; boundary=limit",
            BodyPublishers.ofString(body + "--limit--\r\n"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<failure/><rerunFailure/><rerunFailure/><rerunError/>",
        "<flakyFailure/><flakyFailure/><flakyError/>"
      })
  void attempts_inside_one_job_count_once(String children) {
    create(COUNT);
    withoutPassOnRetry();
    report("c", children);
    assertThat(status("adds")).isEqualTo("healthy");
  }

  @Test
  void numbered_attempts_count_once_in_whichever_order_they_come() {
    create(COUNT);
    form(
        "c",
        "t/test.xml",
        "<failure/>",
        "t/test_attempts/attempt_1.xml",
        "<failure/>",
        "t/test_attempts/attempt_2.xml",
        "<failure/>");
    assertThat(status("adds")).isEqualTo("healthy");
    form("d", "t/test_attempts/attempt_1.xml", "<failure/>", "t/test.xml", "<failure/>");
    assertThat(status("adds")).isEqualTo("healthy");
    form("e", "t/test_attempts/attempt_1.xml", "<failure/>", "t/test.xml", "<skipped/>");
    assertThat(status("adds")).isEqualTo("broken");
  }

  @Test
  void a_job_counts_as_it_ended() {
    create(COUNT);
    withoutPassOnRetry();
    for (String commit : new String[] {"a", "b", "c"}) {
      report(commit, "<flakyFailure/>");
    }
    assertThat(status("adds")).isEqualTo("healthy");
    for (String commit : new String[] {"d", "e", "f"}) {
      report(commit, "<failure/><rerunFailure/>");
    }
    assertThat(status("adds")).isEqualTo("broken");
    assertThat(shop.details("adds").at("/status/reason").asString())
        .isEqualTo("Failed 3 times in the last 24 hours on stable branches.");
  }

  @Test
  void a_rate_counts_attempts_once_and_the_shown_rates_count_every_run() {
    create("\"kind\":\"failure_rate\",\"activation\":0.5,\"min_runs\":2,\"branches\":[\"main\"]");
    report("a", "");
    report("b", "");
    report("c", "<failure/><rerunFailure/><rerunFailure/><rerunFailure/>");
    assertThat(status("adds")).isEqualTo("healthy");
    var details = shop.details("adds");
    assertThat(details.path("failure_rate_last_7d").asDouble()).isEqualTo(4.0 / 6);
    assertThat(details.path("failure_rate_last_24h").asDouble()).isEqualTo(4.0 / 6);
    report("d", "<error/>");
    assertThat(status("adds")).isEqualTo("flaky");
    assertThat(shop.details("adds").at("/status/reason").asString()).contains("(2 of 4)");
  }

  @Test
  void cases_that_share_an_identity_count_each() {
    create(COUNT);
    form("c", "a.xml", "<failure/>", "b.xml", "<failure/>", "c.xml", "<failure/>", "d.xml", "");
    assertThat(status("adds")).isEqualTo("broken");
  }

  @Test
  void without_patterns_monitors_look_at_stable_branches() {
    set("\"stable_branches\":[\"trunk\"]");
    String id = create(COUNT);
    for (int i = 0; i < 4; i++) {
      shop.upload(now(), "&commit=c%d&branch=f%d&pr=%d".formatted(i, i, i + 1), "adds failed");
      shop.upload(now(), "&commit=m%d&branch=main".formatted(i), "adds failed");
    }
    assertThat(status("adds")).isEqualTo("healthy");
    for (int i = 0; i < 3; i++) {
      shop.upload(now(), "&commit=t%d&branch=trunk".formatted(i), "adds failed");
    }
    assertThat(status("adds")).isEqualTo("broken");
    assertThat(shop.details("adds").at("/status/reason").asString())
        .isEqualTo("Failed 3 times in the last 24 hours on stable branches.");
    shop.ask("/v1/monitors/set", "\"monitor_id\":\"%s\",\"branches\":[\"*\"]".formatted(id));
    assertThat(status("adds")).isEqualTo("broken");
    assertThat(shop.details("adds").at("/status/reason").asString())
        .isEqualTo("Failed 11 times in the last 24 hours.");
  }

  @Test
  void the_first_failure_of_a_new_test_is_no_rate_yet() {
    create("\"kind\":\"failure_rate\"");
    for (int i = 0; i < 9; i++) {
      shop.upload(now(), "&branch=main&commit=c" + i, "adds passed");
    }
    shop.upload(now(), "&branch=main&commit=first", "adds failed");
    assertThat(status("adds")).isEqualTo("healthy");
    shop.upload(now(), "&branch=main&commit=second", "adds failed");
    assertThat(status("adds")).isEqualTo("flaky");
  }

  @Test
  void the_first_failure_is_no_rate_yet_however_low_the_threshold() {
    create("\"kind\":\"failure_rate\",\"activation\":0.02");
    for (int i = 0; i < 49; i++) {
      shop.upload(now(), "&branch=main&commit=c" + i, "adds passed");
    }
    shop.upload(now(), "&branch=main&commit=first", "adds failed");
    assertThat(status("adds")).isEqualTo("healthy");
  }

  @Test
  void cases_that_share_an_identity_are_no_sign_of_flakiness() {
    create("\"kind\":\"bayesian\"");
    for (int i = 0; i < 8; i++) {
      form("c" + i, "firefox.xml", "", "chrome.xml", "");
      clock.advance(Duration.ofMinutes(10));
    }
    for (int i = 8; i < 16; i++) {
      form("c" + i, "firefox.xml", "<failure/>", "chrome.xml", "");
      assertThat(status("adds")).as("after commit %d", i).isNotEqualTo("flaky");
      clock.advance(Duration.ofMinutes(10));
    }
    assertThat(status("adds")).isEqualTo("broken");
  }

  @Test
  void cases_of_one_file_among_numbered_attempts_are_no_retries_of_each_other() {
    form(
        "c",
        "t/test.xml",
        "</testcase><testcase classname='C' file='src/adds.py' name='adds'><failure/>");
    assertThat(status("adds")).isEqualTo("healthy");
  }

  private void withoutPassOnRetry() {
    for (JsonNode monitor : shop.ask("/v1/monitors/list", "").json().path("monitors")) {
      if (monitor.path("kind").asString().equals("pass_on_retry")) {
        String id = monitor.path("monitor_id").asString();
        shop.ask("/v1/monitors/delete", "\"monitor_id\":\"%s\"".formatted(id));
      }
    }
  }
}
