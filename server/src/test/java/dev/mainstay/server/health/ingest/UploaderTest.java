package dev.mainstay.server.health.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import dev.mainstay.server.platform.Database;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests of an existing uploader, step by step. */
class UploaderTest {
  private static final String META =
      """
      {"version":"1","cli_version":"x","org":"default","variant":"unix",
       "repo":{"repo":{"host":"github.com","owner":"acme","name":"shop"},"repo_head_sha":"abc",
               "repo_head_branch":"refs/heads/feature"},
       "envs":{"GITHUB_ACTIONS":"true","GITHUB_REF":"refs/pull/9/merge","GITHUB_JOB":"unit",
               "GITHUB_RUN_ATTEMPT":"2","CI":"true"},
       "tags":[],"file_sets":[],"upload_time_epoch":1,"surprise":{"deep":[1]}}
      """;
  private static final String REPORT =
      "<testsuite name='Carts'><testcase name='adds' classname='Cart' file='cart.py'>"
          + "<failure message='no'/></testcase></testsuite>";
  private static final String REPO =
      "\"repo\":{\"host\":\"github.com\",\"owner\":\"acme\",\"name\":\"shop\"},\"orgUrlSlug\":\"default\"";

  private static final Database.Address ADDRESS = TestDatabase.withTables();
  private static TestNode node;
  private static Database database;

  @BeforeAll
  static void start() {
    node = TestNode.start(ADDRESS, new MovableClock());
    database = Database.connect(ADDRESS, 2);
  }

  @AfterAll
  static void stop() {
    database.close();
    node.close();
  }

  @Test
  void a_bundle_is_taken_at_its_address_without_a_key() throws IOException {
    var address = create();
    assertThat(address.json().path("id").asString()).isNotEmpty();
    assertThat(address.json().path("idV2").asString()).isNotEmpty();
    assertThat(address.json().path("key").asString()).isNotEmpty();
    var answer = put(url(address), bundle(REPORT));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().at("/counts/failed").asInt()).isEqualTo(1);
    assertThat(answer.json().at("/skipped").size()).isZero();
    assertThat(answer.json().at("/branch_class").asString()).isEqualTo("pull_request");
    assertThat(answer.json().at("/verdict/failures/0/codeowners/0").asString()).isEqualTo("@py");
    assertThat(
            text(
                "SELECT branch || ' ' || commit_sha || ' ' || pr_number || ' ' || job || ' ' || variant || ' ' || attempt FROM upload WHERE commit_sha = 'abc' LIMIT 1"))
        .isEqualTo("feature abc 9 unit unix 2");
  }

  @ParameterizedTest
  @CsvSource({
    "refs/remotes/pull/7/merge, 7/merge, feature/cart, feature/cart",
    "refs/remotes/origin/main, main, feature/cart, feature/cart",
    "HEAD, main, '', main",
    "refs/remotes/pull/7/merge, '', '', refs/remotes/pull/7/merge",
    "refs/heads/chosen, main, feature/cart, chosen"
  })
  void a_ref_of_the_checkout_gives_way_to_the_branch_that_ci_names(
      String sent, String refName, String headRef, String stored) throws IOException {
    String commit = Integer.toHexString((sent + refName + headRef).hashCode());
    String meta =
        """
        {"version":"1","repo":{"repo_head_sha":"%s","repo_head_branch":"%s"},
         "envs":{"GITHUB_ACTIONS":"true","GITHUB_REF_NAME":"%s","GITHUB_HEAD_REF":"%s"}}
        """
            .formatted(commit, sent, refName, headRef);
    var answer = put(url(create()), bundle(meta, REPORT));
    assertThat(answer.status()).isEqualTo(200);
    if (sent.contains("pull")) {
      assertThat(answer.json().at("/branch_class").asString()).isEqualTo("pull_request");
    }
    assertThat(text("SELECT branch FROM upload WHERE commit_sha = '%s'".formatted(commit)))
        .isEqualTo(stored);
  }

  @Test
  void the_address_is_a_public_one_where_somebody_set_that() {
    for (String address :
        List.of("https://mainstay.example.com/ci", "https://localhost", "http://localhost:9999")) {
      try (var behindProxy = TestNode.start(Map.of(Setting.PUBLIC_URL, address))) {
        var created =
            behindProxy.post(
                "/v1/metrics/createBundleUpload",
                behindProxy.token(),
                "{%s,\"clientVersion\":\"1\"}".formatted(REPO));
        assertThat(created.json().path("url").asString()).startsWith(address + "/bundles?id=");
      }
    }
    assertThat(url(create()).getAuthority()).isEqualTo("127.0.0.1:" + node.port());
  }

  @Test
  void an_address_is_for_one_bundle_and_a_retry_of_it_is_harmless() throws IOException {
    URI url = url(create());
    byte[] bundle = bundle(REPORT.replace("adds", "once"));
    assertThat(put(url, bundle).status()).isEqualTo(200);
    assertThat(put(url, bundle).json().at("/duplicate").asBoolean()).isTrue();
    var other = put(url, bundle(REPORT.replace("adds", "other")));
    assertThat(other.status()).isEqualTo(403);
    assertThat(other.code()).isEqualTo("address_refused");
  }

  @Test
  void forged_and_expired_addresses_are_refused() throws IOException {
    URI url = url(create());
    byte[] bundle = bundle(REPORT);
    assertThat(put(URI.create(url.toString().replace("expires=1", "expires=2")), bundle).status())
        .isEqualTo(403);
    assertThat(
            put(URI.create(url.toString().replaceFirst("signature=..", "signature=zz")), bundle)
                .status())
        .isEqualTo(403);
    assertThat(put(url.resolve("/bundles"), bundle).status()).isEqualTo(403);
    node.clock().advance(Duration.ofHours(2));
    assertThat(put(url, bundle).status()).isEqualTo(403);
  }

  @Test
  void quarantined_tests_are_named_by_the_ids_that_were_sent() throws IOException {
    put(url(create()), bundle(REPORT.replace("adds", "shaky")));
    String sent =
        """
        {%s,"remoteUrls":[],"testIdentifiers":[
          {"id":"raw-id","name":"shaky","parentName":"Carts","className":"Cart","file":"cart.py","variant":"unix"},
          {"id":"no-file","name":"shaky","parentName":"Carts","className":"Cart","variant":"unix"},
          {"id":"else","name":"else","parentName":"Carts","className":"Cart","file":"cart.py","variant":"unix"}]}
        """
            .formatted(REPO);
    var off = node.post("/v1/metrics/getQuarantineConfig", node.token(), sent);
    assertThat(off.json().path("isDisabled").asBoolean()).isTrue();
    database.useTransaction(
        handle -> {
          handle.execute(
              "INSERT INTO test_settings (repository_id, quarantining_enabled) SELECT id, true FROM repository ON CONFLICT (repository_id) DO UPDATE SET quarantining_enabled = true");
          handle.execute(
              "UPDATE test SET quarantine_override = 'ALWAYS_QUARANTINE' WHERE name = 'shaky'");
        });
    var on = node.post("/v1/metrics/getQuarantineConfig", node.token(), sent);
    assertThat(on.body()).isEqualTo("{\"isDisabled\":false,\"testIds\":[\"raw-id\",\"no-file\"]}");
    database.useTransaction(
        handle -> handle.execute("UPDATE test SET override_until = timestamptz '2020-01-01'"));
    var ended = node.post("/v1/metrics/getQuarantineConfig", node.token(), sent);
    assertThat(ended.body()).isEqualTo("{\"isDisabled\":false,\"testIds\":[]}");
  }

  @Test
  void another_organization_is_not_found_and_a_key_is_needed() {
    String foreign = "{" + REPO.replace("default", "other") + "}";
    assertThat(node.post("/v1/metrics/createBundleUpload", node.token(), foreign).status())
        .isEqualTo(404);
    assertThat(node.post("/v1/metrics/createBundleUpload", "", "{}").status()).isEqualTo(401);
    assertThat(node.post("/v1/metrics/createBundleUpload", node.token(), "{}").status())
        .isEqualTo(400);
  }

  @Test
  void telemetry_is_accepted_and_dropped() {
    var answer =
        node.post(
            "/v1/flakytests-cli/upload-metrics",
            node.token(),
            "application/x-protobuf",
            BodyPublishers.ofByteArray(new byte[] {1, 2, 3}));
    assertThat(answer.status()).isEqualTo(200);
  }

  @Test
  void a_bundle_that_is_none_is_taken_for_what_it_holds() {
    var answer = put(url(create()), "nothing of use".getBytes(StandardCharsets.UTF_8));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().at("/verdict/may_pass").asBoolean()).isFalse();
  }

  private static Answer create() {
    return node.post("/v1/metrics/createBundleUpload", node.token(), "{" + REPO + "}");
  }

  private static URI url(Answer created) {
    return URI.create(created.json().path("url").asString());
  }

  private static Answer put(URI url, byte[] body) {
    return node.send(
        HttpRequest.newBuilder(url)
            .header("content-type", "application/octet-stream")
            .PUT(BodyPublishers.ofByteArray(body)));
  }

  private static byte[] bundle(String report) throws IOException {
    return bundle(META, report);
  }

  private static byte[] bundle(String meta, String report) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var tar = new TarArchiveOutputStream(new ZstdOutputStream(bytes), "UTF-8")) {
      put(tar, "meta.json", meta);
      put(tar, "junit/0", report);
      put(tar, "internal.bin", "\1\2\3");
      put(tar, "CODEOWNERS", "*.py @py\n");
    }
    return bytes.toByteArray();
  }

  private static void put(TarArchiveOutputStream tar, String name, String text) throws IOException {
    var entry = new TarArchiveEntry(name);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    entry.setSize(bytes.length);
    tar.putArchiveEntry(entry);
    tar.write(bytes);
    tar.closeArchiveEntry();
  }

  private static String text(String sql) {
    return database.query(handle -> handle.select(sql).mapTo(String.class).one());
  }
}
