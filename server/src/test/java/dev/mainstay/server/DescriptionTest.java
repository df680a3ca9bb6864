package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DescriptionTest {
  @Test
  void every_route_is_described_and_nothing_else_is() {
    var described = new TreeSet<String>();
    Description.DOCUMENT
        .path("paths")
        .forEachEntry(
            (path, methods) ->
                methods.forEachEntry((method, operation) -> described.add(method + " " + path)));
    var routed = new TreeSet<String>();
    try (var node = TestNode.start()) {
      node.routes()
          .forEach(r -> routed.add(r.method().toLowerCase(java.util.Locale.ROOT) + " " + r.path()));
    }
    assertThat(described).isEqualTo(routed);
  }

  @Test
  void a_route_that_needs_a_key_says_so() {
    Description.DOCUMENT
        .path("paths")
        .forEachEntry(
            (path, methods) ->
                methods.forEachEntry(
                    (method, operation) ->
                        assertThat(operation.path("responses").has("401"))
                            .as("%s %s", method, path)
                            .isEqualTo(path.startsWith("/v1/"))));
  }
}
