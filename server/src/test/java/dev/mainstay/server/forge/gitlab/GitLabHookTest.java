package dev.mainstay.server.forge.gitlab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.HookCall;
import dev.mainstay.server.forge.HookClaim;
import dev.mainstay.server.platform.Sha256;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Calls of GitLab's hooks: which project they name, and which secret proves them. */
class GitLabHookTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final String BODY =
      "{\"object_kind\":\"push\",\"project\":{\"path_with_namespace\":\"acme/platform/app\"}}";
  private static final byte[] KEY = Sha256.of("secret");

  private static Optional<HookClaim> claim(String body, Map<String, String> headers) {
    var call = new HookCall(name -> Optional.ofNullable(headers.get(name)), body.getBytes(UTF_8));
    return new GitLabHook(call, () -> NOW).claim();
  }

  private static boolean proves(String secret, Map<String, String> headers) {
    return claim(BODY, headers).orElseThrow().provenBy().test(secret);
  }

  private static Map<String, String> signed(byte[] key, Instant at, String body) throws Exception {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    String said = "id-1." + at.getEpochSecond() + "." + body;
    String signature = Base64.getEncoder().encodeToString(mac.doFinal(said.getBytes(UTF_8)));
    return Map.of(
        "webhook-id",
        "id-1",
        "webhook-timestamp",
        "" + at.getEpochSecond(),
        "webhook-signature",
        "v1,AAAA v1," + signature,
        "X-Gitlab-Token",
        "secret");
  }

  @Test
  void a_secret_token_proves_itself() {
    var headers = Map.of("X-Gitlab-Token", "secret");
    assertThat(claim(BODY, headers).orElseThrow().path()).isEqualTo("acme/platform/app");
    assertThat(proves("secret", headers)).isTrue();
    assertThat(proves("secret2", headers)).isFalse();
    assertThat(proves("", headers)).isFalse();
  }

  @Test
  void a_signed_call_must_be_signed_well_and_lately() throws Exception {
    assertThat(proves("secret", signed(KEY, NOW, BODY))).isTrue();
    assertThat(proves("secret", signed(KEY, NOW.minusSeconds(300), BODY))).isTrue();
    assertThat(proves("secret", signed(KEY, NOW.minusSeconds(301), BODY))).isFalse();
    assertThat(proves("secret", signed(KEY, NOW.plusSeconds(301), BODY))).isFalse();
    assertThat(proves("secret", signed(KEY, NOW, BODY + " "))).isFalse();
    assertThat(proves("other", signed(KEY, NOW, BODY))).isFalse();
    String whole = "whsec_" + Base64.getEncoder().encodeToString(KEY);
    assertThat(proves(whole, signed(KEY, NOW, BODY))).isTrue();
    assertThat(proves("whsec_?", signed(KEY, NOW, BODY))).isFalse();
  }

  @Test
  void what_names_no_project_or_proves_nothing_claims_nothing() {
    var headers = Map.of("X-Gitlab-Token", "secret");
    String job = "{\"repository\":{\"homepage\":\"http://git.example:80/acme/platform/app\"}}";
    assertThat(claim(job, headers).orElseThrow().path()).isEqualTo("acme/platform/app");
    assertThat(claim("{}", headers)).isEmpty();
    assertThat(claim("[", headers)).isEmpty();
    assertThat(claim(BODY, Map.of())).isEmpty();
    assertThat(claim(BODY.replace("acme", "a\\u0000"), headers)).isEmpty();
  }
}
