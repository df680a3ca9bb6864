package dev.mainstay.server.web.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Description;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.web.Visitor;
import dev.mainstay.server.web.page.NeatJson;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The description as pages: all of it, for everybody, with commands that a shell understands. */
class DocsTest {
  private static final String SERVER = "https://mainstay.example";
  private static final DocsPages.Content CONTENT =
      new DocsPages.Content(
          dev.mainstay.server.web.description.Description.ofServer(), URI.create(SERVER + "/"));

  @Test
  void everybody_reads_of_every_path_and_every_schema() {
    try (var node = TestNode.start()) {
      for (Visitor reader : List.of(Visitor.stranger(node), Visitor.signedIn(node, node.token()))) {
        var index = reader.look("/docs");
        assertThat(index.status()).isEqualTo(200);
        var all = new StringBuilder();
        CONTENT.groups().forEach(group -> all.append(reader.look(group.href()).body()));
        Description.DOCUMENT
            .path("paths")
            .propertyNames()
            .forEach(
                path -> {
                  assertThat(index.body()).contains("<code>" + path + "</code>");
                  assertThat(all).contains("<code>" + path + "</code>");
                });
        String schemas = reader.look("/docs/schemas").body();
        Description.DOCUMENT
            .path("components")
            .path("schemas")
            .propertyNames()
            .forEach(name -> assertThat(schemas).contains("id=\"" + name + "\""));
      }
      var stranger = Visitor.stranger(node);
      assertThat(stranger.look("/docs").body()).contains(">Sign in<").contains("/v1/createQueue");
      assertThat(stranger.look("/docs/nothing").status()).isEqualTo(404);
      assertThat(Visitor.signedIn(node, node.token()).look("/docs").body()).contains(">You<");
    }
  }

  @Test
  void every_command_is_one_that_a_shell_runs_and_the_description_allows() throws Exception {
    for (var group : CONTENT.groups()) {
      for (var operation : group.operations()) {
        List<String> words = words(CONTENT.curl(operation));
        String path = operation.path();
        assertThat(words.stream().map(w -> w.replaceFirst("\\?.*", "")))
            .as(path)
            .contains(SERVER + path);
        assertThat(words.contains("x-api-token: secret")).as(path).isEqualTo(operation.key());
        int body = words.indexOf("-d");
        if (body >= 0) {
          JsonNode content =
              Description.DOCUMENT.path("paths").path(path).path("post").path("requestBody");
          JsonNode schema = content.path("content").iterator().next().path("schema");
          JsonNode sent = new JsonMapper().readTree(words.get(body + 1));
          assertThat(Description.faults(schema, sent)).as(path).isEmpty();
        }
      }
    }
  }

  /** The words that a shell makes of a command. */
  private static List<String> words(String command) throws IOException, InterruptedException {
    var shell =
        new ProcessBuilder(
                "sh",
                "-c",
                "curl() { for w in \"$@\"; do printf '%s\\0' \"$w\"; done; }\n" + command)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    shell.environment().put("MAINSTAY_TOKEN", "secret");
    Process process = shell.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(command).isZero();
    return new ArrayList<>(List.of(out.split("\0")));
  }

  @Test
  void a_body_keeps_its_meaning_in_a_shell_whatever_is_in_it() throws Exception {
    JsonNode hostile =
        new JsonMapper().readTree("{\"a\":\"it's $(id) `id` \\\"q\\\" \\n é\",\"b\":[1,{}]}");
    assertThat(new JsonMapper().readTree(NeatJson.of(hostile))).isEqualTo(hostile);
    var operation =
        CONTENT.groups().stream()
            .flatMap(g -> g.operations().stream())
            .filter(o -> o.path().equals("/v1/createQueue"))
            .findFirst()
            .orElseThrow();
    var other =
        new dev.mainstay.server.web.description.Operation(
            operation.id(),
            operation.method(),
            operation.path(),
            operation.tag(),
            "",
            "",
            operation.scope(),
            true,
            List.of(),
            List.of(
                new dev.mainstay.server.web.description.Operation.Body(
                    "application/json",
                    java.util.Optional.empty(),
                    List.of(),
                    java.util.Optional.of(hostile))),
            List.of());
    List<String> words = words(CONTENT.curl(other));
    assertThat(new JsonMapper().readTree(words.getLast())).isEqualTo(hostile);
  }

  @Test
  void prose_is_pieces_and_never_markup() {
    Prose prose =
        Prose.of(
            "Say `<b>` to /v1/createQueue (queue_exists).\n\nThen NOT_READY on GitHub.",
            Map.of("/v1/createQueue", "/docs/x#y"));
    assertThat(prose.paragraphs()).hasSize(2);
    assertThat(prose.paragraphs().getFirst().stream().filter(Prose.Piece::code))
        .extracting(Prose.Piece::text)
        .containsExactly("<b>", "/v1/createQueue", "queue_exists");
    assertThat(prose.paragraphs().getFirst().get(3).href()).contains("/docs/x#y");
    assertThat(prose.paragraphs().getLast().stream().filter(Prose.Piece::code))
        .extracting(Prose.Piece::text)
        .containsExactly("NOT_READY");
  }
}
