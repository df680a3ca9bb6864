package dev.mainstay.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Json;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class CutTest {
  @Test
  void what_fits_stays_as_it_is() {
    ObjectNode whole = Json.object().put("a", "x".repeat(500));
    Cut cut = Cut.of(whole, 600);
    assertThat(cut.content()).isSameAs(whole);
    assertThat(cut.losses()).isEmpty();
  }

  @Test
  void the_longest_list_loses_its_later_entries_and_says_so() {
    ObjectNode whole = Json.object().put("state", "RUNNING");
    var list = whole.putArray("pullRequests");
    for (int i = 0; i < 1000; i++) {
      list.addObject().put("number", i).put("title", "y".repeat(80));
    }
    ObjectNode cut = Cut.of(whole, 20_000).content();
    assertThat(Json.write(cut).length).isBetween(9_000, 20_000);
    assertThat(cut.path("state").asString()).isEqualTo("RUNNING");
    assertThat(cut.at("/pullRequests/0/number").asInt(-1)).isZero();
    assertThat(cut.path("cut").toString())
        .isEqualTo(
            "[\"pullRequests has %d of 1000 entries\"]".formatted(cut.path("pullRequests").size()));
    assertThat(whole.path("pullRequests")).hasSize(1000);
    assertThat(Told.of("Much.", whole).result().toString())
        .contains("The answer was too long and is cut: pullRequests has ");
  }

  @Test
  void texts_and_what_is_nested_are_cut_too_and_it_comes_to_an_end() {
    ObjectNode whole = Json.object();
    whole.putObject("run").put("output", "\u0001😀".repeat(50_000));
    ObjectNode cut = Cut.of(whole, 5_000).content();
    assertThat(Json.write(cut).length).isLessThan(5_000);
    assertThat(cut.path("cut").toString()).isEqualTo("[\"run.output is not whole\"]");
    var numbers = Json.object();
    for (int i = 0; i < 5_000; i++) {
      numbers.put("field" + i, i);
    }
    assertThat(Cut.of(numbers, 5_000).content().size()).isEqualTo(5_001);
  }
}
