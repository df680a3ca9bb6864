package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests belong to whom the CODEOWNERS file of the connected repository says. */
class OwnersOfRepositoryTest {

  @TempDir private Path directory;
  private TestNode node;
  private TestRepository repository;
  private QueueCalls queue;
  private String file = "src/a.py";
  private int uploads;

  @BeforeEach
  void start() {
    node = TestNode.start();
    repository = new TestRepository(directory);
    queue = new QueueCalls(node, node.token(), "shop", "main");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void owners_follow_the_file_of_the_connected_repository() {
    repository.put("docs/CODEOWNERS", Optional.of("* @docs"));
    connect();
    awaitOwners("@docs");

    repository.put("CODEOWNERS", Optional.of("* @root"));
    awaitOwners("@root");

    repository.put(".github/CODEOWNERS", Optional.of("src/ @acme/one @acme/two"));
    awaitOwners("@acme/one", "@acme/two");

    repository.put(".github/CODEOWNERS", Optional.empty());
    awaitOwners("@root");
    repository.put("CODEOWNERS", Optional.empty());
    repository.put("docs/CODEOWNERS", Optional.empty());
    awaitOwners();
  }

  @Test
  void an_uploads_own_file_wins_for_that_upload() {
    repository.put("CODEOWNERS", Optional.of("* @repository"));
    connect();
    awaitOwners("@repository");
    assertThat(upload("* @upload")).containsExactly("@upload");
    assertThat(upload("")).containsExactly("@repository");
  }

  @Test
  void hostile_files_count_as_none() {
    repository.put("CODEOWNERS", Optional.of("* @good"));
    connect();
    awaitOwners("@good");
    repository.put("CODEOWNERS", Optional.of("* @huge\n" + "#".repeat(3 << 20)));
    awaitOwners();
    repository.put("CODEOWNERS", Optional.of("* @good"));
    awaitOwners("@good");
    repository.put("CODEOWNERS", Optional.of("* @binary\n\0\1"));
    awaitOwners();
    repository.put("CODEOWNERS", Optional.of("[[[ ]\n^[ @x\n* @good"));
    queue.ok("hooks/git");
    assertThat(queue.ok("getRepositoryConnection").path("fault").isMissingNode()).isTrue();
  }

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void a_file_of_many_stars_is_read_in_no_time() {
    String hostile = "*s" + "*a".repeat(30) + "*b @x";
    repository.put("CODEOWNERS", Optional.of("* @all\n" + hostile));
    file = "src/" + "a".repeat(200);
    connect();
    awaitOwners("@all");
  }

  private void connect() {
    queue.ok("connectRepository", "'address':'%s'".formatted(repository.address()));
  }

  /** Uploads results without owners of their own until the look has been had. */
  private void awaitOwners(String... owners) {
    queue.ok("hooks/git");
    until(() -> upload(""), List.of(owners)::equals);
    assertThat(stored()).containsExactly(owners);
  }

  private List<String> stored() {
    String request =
        "{'repo':{'host':'git.example','owner':'acme','name':'shop'},'org_url_slug':'default'}";
    var answer = node.post("/v1/tests/list", node.token(), request.replace('\'', '"'));
    return owners(answer.json().path("tests").path(0));
  }

  private static List<String> owners(JsonNode test) {
    return test.path("codeowners").valueStream().map(JsonNode::asString).toList();
  }

  /** The owners that the test has after this upload. */
  private List<String> upload(String codeOwners) {
    String report =
        "<testsuite name='s'><testcase name='adds' file='%s'><failure/></testcase></testsuite>"
            .formatted(file);
    String part =
        "--x\r\ncontent-disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n\r\n%s\r\n";
    String body = part.formatted("report", "report.xml", report);
    if (!codeOwners.isEmpty()) {
      body += part.formatted("CODEOWNERS", "CODEOWNERS", codeOwners);
    }
    var answer =
        node.post(
            "/v1/test-results?repo=git.example/acme/shop&commit=c" + ++uploads,
            node.token(),
            "multipart/form-data; boundary=x",
            BodyPublishers.ofString(body + "--x--\r\n"));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return owners(answer.json().path("verdict").path("failures").path(0));
  }
}
