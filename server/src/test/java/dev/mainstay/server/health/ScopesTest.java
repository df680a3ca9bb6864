package dev.mainstay.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.http.Scope;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which keys may do what with tests. */
class ScopesTest extends JudgingScene {
  private static final String ROUTES =
      """
      tests/list                           | read admin
      tests/show                           | read admin
      tests/history                        | read admin
      tests/runs                           | read admin
      tests/days                           | read admin
      tests/quarantine                     | queue admin
      monitors/list                        | read admin
      monitors/preview                     | read admin
      monitors/create                      | admin
      monitors/set                         | admin
      monitors/delete                      | admin
      monitors/mute                        | admin
      repositories/summary                 | read admin
      repositories/get-test-settings       | read admin
      repositories/set-test-settings       | admin
      flaky-tests/get-test-details         | read admin
      flaky-tests/link-ticket-to-test-case | upload queue admin
      tickets/set                          | queue admin
      tickets/get                          | read admin
      uploads/list                         | read admin
      uploads/get                          | read admin
      """;

  @Test
  void reading_takes_read_deciding_takes_queue_and_what_was_enough_before_still_is() {
    Map<Scope, String> keys = new EnumMap<>(Scope.class);
    for (Scope scope : Scope.values()) {
      keys.put(scope, key("default", scope));
    }
    ROUTES
        .lines()
        .map(line -> line.split("\\s*\\|\\s*", 2))
        .forEach(
            route ->
                keys.forEach(
                    (scope, key) -> {
                      Answer answer = node.post("/v1/" + route[0], key, "{\"repo\":1}");
                      assertThat(answer.status())
                          .as("%s with %s", route[0], scope)
                          .isEqualTo(route[1].contains(scope.label()) ? 400 : 403);
                    }));
    Answer refused =
        node.post("/v1/flaky-tests/link-ticket-to-test-case", key("default", Scope.READ), "{}");
    assertThat(refused.code()).isEqualTo("insufficient_scope");
    assertThat(refused.json().path("detail").asString())
        .isEqualTo("This key lacks the scope `queue` or `upload`.");
  }
}
