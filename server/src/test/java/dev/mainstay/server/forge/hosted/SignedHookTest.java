package dev.mainstay.server.forge.hosted;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.HookCall;
import dev.mainstay.server.forge.HookClaim;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SignedHookTest {
  private static final String SECRET = "It's a Secret to Everybody";
  private static final String BODY = "{\"repository\":{\"full_name\":\"acme/shop\"}}";

  private static Optional<HookClaim> claim(Map<String, String> headers, String body) {
    return claim(headers, body, Optional.empty());
  }

  private static Optional<HookClaim> claim(
      Map<String, String> headers, String body, Optional<String> app) {
    return SignedHook.claim(
        new HookCall(name -> Optional.ofNullable(headers.get(name)), body.getBytes(UTF_8)),
        "sign",
        app);
  }

  @Test
  void the_published_vector_is_proven_by_its_secret_alone() {
    String signature = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    assertThat(SignedHook.isSigned("Hello, World!".getBytes(UTF_8), SECRET, signature)).isTrue();
    assertThat(SignedHook.isSigned("Hello, World.".getBytes(UTF_8), SECRET, signature)).isFalse();
    assertThat(SignedHook.isSigned("Hello, World!".getBytes(UTF_8), "other", signature)).isFalse();
  }

  @Test
  void a_call_claims_its_repository_and_is_not_proven_by_a_wrong_signature() {
    HookClaim claim = claim(Map.of("sign", "sha256=" + "0".repeat(64)), BODY).orElseThrow();
    assertThat(claim.path()).isEqualTo("acme/shop");
    assertThat(claim.provenBy().test(SECRET)).isFalse();
    assertThat(claim(Map.of("sign", "ü"), BODY).orElseThrow().provenBy().test(SECRET)).isFalse();
  }

  @Test
  void an_app_is_told_of_what_is_no_repository_s() {
    HookClaim claim = claim(Map.of("sign", "00"), "{}", Optional.of("7")).orElseThrow();
    assertThat(claim.app()).contains("7");
    assertThat(claim.path()).isEmpty();
    assertThat(claim.provenBy().test(SECRET)).isFalse();
    assertThat(claim(Map.of(), "{}", Optional.of("7"))).isEmpty();
  }

  @Test
  void without_signature_repository_or_json_nothing_is_claimed() {
    assertThat(claim(Map.of(), BODY)).isEmpty();
    assertThat(claim(Map.of("sign", "00"), "{}")).isEmpty();
    assertThat(claim(Map.of("sign", "00"), "[1]")).isEmpty();
    assertThat(claim(Map.of("sign", "00"), "{\"repository\":7}")).isEmpty();
    assertThat(claim(Map.of("sign", "00"), "\0")).isEmpty();
    assertThat(claim(Map.of("sign", "00"), BODY.replace("shop", "\\u0000"))).isEmpty();
    assertThat(claim(Map.of("sign", "00"), BODY.replace("shop", "s".repeat(500)))).isEmpty();
  }
}
