package dev.mainstay.server.health.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** CODEOWNERS files that are made to keep a node busy. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostileOwnersTest {
  private static final String HOSTILE = "*a".repeat(40) + "*b @x\n";
  private static final String LONG_NAME = "a".repeat(200);

  @Test
  void patterns_of_many_stars_stop_neither_uploads_nor_the_node() throws Exception {
    try (var node = TestNode.start();
        var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      var hostile =
          IntStream.range(0, 6)
              .mapToObj(i -> pool.submit(() -> upload(node, "hostile" + i, HOSTILE, LONG_NAME)))
              .toList();
      assertThat(owners(upload(node, "shop", "*.py @python\n", "src/cart.py")))
          .containsExactly("@python");
      for (var one : hostile) {
        assertThat(owners(one.get())).isEmpty();
      }
    }
  }

  @Test
  void what_is_beyond_the_bounds_is_told_and_blocks_nothing() {
    try (var node = TestNode.start()) {
      var answer = upload(node, "shop", "*.py @python\n".repeat(20_001), "src/cart.py").json();
      assertThat(owners(answer)).isEmpty();
      assertThat(answer.at("/ignored/0/file").asString()).isEqualTo("CODEOWNERS");
      assertThat(answer.at("/ignored/0/reason").asString()).contains("20000 rules");
      assertThat(answer.at("/verdict/unread").isEmpty()).isTrue();
    }
  }

  private static List<String> owners(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return owners(answer.json());
  }

  private static List<String> owners(JsonNode answer) {
    return answer
        .at("/verdict/failures/0/codeowners")
        .valueStream()
        .map(JsonNode::asString)
        .toList();
  }

  private static Answer upload(TestNode node, String repo, String owners, String file) {
    String report =
        "<testsuite name='s'><testcase name='t' file='%s'><failure/></testcase></testsuite>"
            .formatted(file);
    var files =
        owners.isEmpty()
            ? List.of(SentFile.of("report.xml", report))
            : List.of(SentFile.of("report.xml", report), SentFile.of("CODEOWNERS", owners));
    return node.post(
        "/v1/test-results?repo=git.example/acme/" + repo,
        node.token(),
        "multipart/form-data; boundary=limit",
        BodyPublishers.ofByteArray(SentFile.form(files, List.of())));
  }
}
