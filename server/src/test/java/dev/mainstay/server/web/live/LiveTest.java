package dev.mainstay.server.web.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.web.page.Pulse.Topic;
import dev.mainstay.server.web.page.Repo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How many follow at once. */
class LiveTest {
  private static final Topic TOPIC =
      new Topic(1, Optional.of(new Repo("git.example", "acme", "shop")));

  @Test
  void so_many_of_one_organization_follow_and_another_one_once_somebody_has_left()
      throws IOException {
    try (var live = new Live(topics -> Map.of(), 2)) {
      assertThat(live.enter(1)).isTrue();
      assertThat(live.enter(1)).isTrue();
      assertThat(live.enter(1)).isFalse();
      assertThat(live.enter(2)).as("another organization").isTrue();
      var out = new ByteArrayOutputStream();
      live.follow(TOPIC, "", () -> false, out);
      assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("event: ended\ndata: 1\n\n");
      assertThat(live.enter(1)).isTrue();
      assertThat(live.enter(1)).isFalse();
    }
  }
}
