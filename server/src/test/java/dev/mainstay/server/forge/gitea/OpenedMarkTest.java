package dev.mainstay.server.forge.gitea;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Marks of open pull requests: what they tell apart, and what they say is too much. */
class OpenedMarkTest {
  private static JsonNode pull(int number, String second, String head) {
    return Json.read(
        """
        {"number": %d, "updated_at": "2026-03-01T10:00:%sZ", "head": {"sha": "%s"}}
        """
            .formatted(number, second, head)
            .getBytes(StandardCharsets.UTF_8));
  }

  private static final JsonNode OLD = pull(1, "10", "a");
  private static final JsonNode NEW = pull(2, "40", "b");

  @Test
  void only_the_last_seconds_are_looked_at() {
    OpenedMark mark = OpenedMark.of(List.of(NEW, OLD), 2);
    assertThat(mark.recent()).isEqualTo(1);
    assertThat(OpenedMark.of(List.of(NEW, pull(1, "10", "c")), 2)).isEqualTo(mark);
    assertThat(OpenedMark.of(List.of(NEW, OLD), 3)).isNotEqualTo(mark);
  }

  @Test
  void a_change_in_the_same_second_or_one_that_came_late_makes_another() {
    OpenedMark mark = OpenedMark.of(List.of(NEW, OLD), 2);
    assertThat(OpenedMark.of(List.of(pull(2, "40", "c"), OLD), 2)).isNotEqualTo(mark);
    assertThat(OpenedMark.of(List.of(NEW, pull(1, "40", "a")), 2)).isNotEqualTo(mark);
    assertThat(OpenedMark.of(List.of(NEW, pull(1, "38", "a")), 2)).isNotEqualTo(mark);
  }

  @Test
  void a_page_full_of_recent_ones_leaves_open_what_is_on_the_next() {
    assertThat(OpenedMark.of(List.of(NEW, pull(1, "39", "a")), 3).crowded()).isTrue();
    assertThat(OpenedMark.of(List.of(NEW, pull(1, "39", "a")), 2).crowded()).isFalse();
    assertThat(OpenedMark.of(List.of(), 0).crowded()).isFalse();
  }

  @Test
  void a_mark_is_read_as_it_was_written_and_nothing_else_is() {
    OpenedMark mark = OpenedMark.of(List.of(NEW, OLD), 2);
    assertThat(OpenedMark.read(mark.toString())).contains(mark);
    for (String other : List.of("", "1-1-", "x", mark + "0", "99999999999999-1-" + mark.digest())) {
      assertThat(OpenedMark.read(other)).isEqualTo(Optional.empty());
    }
  }

  @Test
  void times_that_are_none_do_not_break_it() {
    JsonNode strange = Json.read("{\"updated_at\": 7}".getBytes(StandardCharsets.UTF_8));
    assertThat(OpenedMark.of(List.of(strange, Json.object()), 2).recent()).isEqualTo(2);
  }
}
