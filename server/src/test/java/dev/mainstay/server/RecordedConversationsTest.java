package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.queue.TestRepository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What clients of others asked and were answered when they ran, unmodified, against a node: the
 * same requests, sent again, get the same answers. In a recorded answer {@code *} is whatever is
 * there, such as ids and times; a bundle was recorded as the files in it.
 */
class RecordedConversationsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String ANYTHING = "*";

  private static TestNode node;
  private String bundleAddress = "";

  @BeforeAll
  static void start(@TempDir Path directory) {
    node = TestNode.start();
    var repository = new TestRepository(directory);
    repository.open(7, "a change");
    String connect =
        "{\"repo\":{\"host\":\"git.example\",\"owner\":\"acme\",\"name\":\"shop\"},\"address\":\"%s\"}"
            .formatted(repository.address());
    assertThat(node.post("/v1/connectRepository", node.token(), connect).status()).isEqualTo(200);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"terraform", "terraform-busy", "merge-action", "uploader"})
  void a_client_is_answered_as_when_it_was_recorded(String client) throws IOException {
    String step = "";
    int calls = 0;
    for (String line :
        Files.readAllLines(Path.of("src/test/resources/conversations", client + ".jsonl"))) {
      JsonNode call = JSON.readTree(line);
      if (call.has("step")) {
        step = call.path("step").stringValue();
        continue;
      }
      String what = "%s: %s %s".formatted(step, call.path("method"), call.path("path"));
      Answer answer = node.send(request(call));
      assertThat(answer.status()).as("%s answered %s", what, answer.body()).isEqualTo(number(call));
      compare(what, call.path("answer"), body(answer));
      if (call.path("answer").has("url")) {
        bundleAddress = answer.json().path("url").stringValue();
      }
      calls++;
    }
    assertThat(calls).isGreaterThan(5);
  }

  private static int number(JsonNode call) {
    return call.path("status").intValue();
  }

  private static JsonNode body(Answer answer) {
    return answer.header("content-type").startsWith("application/json")
        ? answer.json()
        : JSON.valueToTree(answer.body());
  }

  private HttpRequest.Builder request(JsonNode call) throws IOException {
    HttpRequest.Builder request =
        call.path("method").stringValue().equals("PUT")
            ? HttpRequest.newBuilder(URI.create(bundleAddress))
                .PUT(BodyPublishers.ofByteArray(bundle(call.path("request"))))
            : node.request(call.path("path").stringValue(), token(call))
                .POST(BodyPublishers.ofString(call.path("request").toString()));
    call.path("headers").forEachEntry((name, value) -> request.header(name, value.stringValue()));
    return request;
  }

  /** The key is this node's, unless the client had a wrong one. */
  private static String token(JsonNode call) {
    return call.has("key") ? call.path("key").stringValue() : node.token();
  }

  private static byte[] bundle(JsonNode files) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var tar = new TarArchiveOutputStream(new ZstdOutputStream(bytes), "UTF-8")) {
      files.forEachEntry((name, content) -> put(tar, name, content));
    }
    return bytes.toByteArray();
  }

  private static void put(TarArchiveOutputStream tar, String name, JsonNode content) {
    String text = content.isString() ? content.stringValue() : content.toString();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    var entry = new TarArchiveEntry(name);
    entry.setSize(bytes.length);
    try {
      tar.putArchiveEntry(entry);
      tar.write(bytes);
      tar.closeArchiveEntry();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compare(String what, JsonNode recorded, JsonNode answered) {
    if (recorded.isString() && recorded.stringValue().equals(ANYTHING)) {
      assertThat(answered.isMissingNode()).as(what).isFalse();
    } else if (recorded.isObject()) {
      assertThat(answered.propertyNames()).as(what).isEqualTo(recorded.propertyNames());
      recorded.forEachEntry(
          (name, value) -> compare(what + " " + name, value, answered.path(name)));
    } else if (recorded.isArray()) {
      assertThat(answered.size()).as("%s: %s", what, answered).isEqualTo(recorded.size());
      for (int i = 0; i < recorded.size(); i++) {
        compare(what + "[" + i + "]", recorded.get(i), answered.get(i));
      }
    } else {
      assertThat(answered).as(what).isEqualTo(recorded);
    }
  }
}
