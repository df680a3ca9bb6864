package dev.mainstay.server.access.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.KeyRing;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.access.Role;
import dev.mainstay.server.access.Sessions;
import dev.mainstay.server.access.oidc.OidcSignIn.Begun;
import dev.mainstay.server.access.oidc.OidcSignIn.Result;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signing in at a provider that may lie, on two nodes of one database. */
class OidcSignInTest {
  private static final String BACK = "https://mainstay.example/sign-in/oidc/callback";
  private static final MovableClock CLOCK = new MovableClock();
  @TempDir private static Path directory;
  private static Database database;
  private static KeyRing ring;
  private static Sessions sessions;
  private static Organization team;
  private static Path secret;

  private FakeProvider provider;
  private OidcSignIn node;
  private OidcSignIn other;

  @BeforeAll
  static void startAll() throws IOException {
    database = Database.connect(TestDatabase.withTables(), 4);
    team = new Access(database, CLOCK).createOrganization("team", "The team").orElseThrow();
    ring = new KeyRing(database, CLOCK);
    sessions = new Sessions(database, CLOCK, ring);
    secret = Files.writeString(directory.resolve("secret"), FakeProvider.SECRET + "\n");
  }

  @AfterAll
  static void stopAll() {
    sessions.close();
    ring.close();
    database.close();
  }

  @BeforeEach
  void start() {
    provider = new FakeProvider(CLOCK);
    node = open(settings("groups", "admin=ops,member=eng"));
    other = open(settings("groups", "admin=ops,member=eng"));
  }

  @AfterEach
  void stop() {
    node.close();
    other.close();
    provider.close();
  }

  private OidcSettings settings(String claim, String rules) {
    return new OidcSettings(
        URI.create(provider.issuer()),
        FakeProvider.CLIENT,
        secret,
        "team",
        new RoleRules(claim, RoleRules.read(rules)));
  }

  private static OidcSignIn open(OidcSettings settings) {
    return OidcSignIn.open(settings, database, CLOCK, sessions);
  }

  private static Begun.Away begin(OidcSignIn at, String returnTo) {
    Begun begun = at.begin(BACK, returnTo);
    assertThat(begun).isInstanceOf(Begun.Away.class);
    return (Begun.Away) begun;
  }

  private OidcSignIn.Callback visit(Begun.Away begun) {
    var back = FakeProvider.form(provider.visit(begun.page()).getRawQuery());
    return new OidcSignIn.Callback(
        Optional.ofNullable(back.get("code")),
        Optional.ofNullable(back.get("state")),
        Optional.ofNullable(back.get("iss")),
        Optional.empty());
  }

  private Result signIn() {
    Begun.Away begun = begin(node, "/");
    return node.finish(visit(begun), begun.pending());
  }

  private static Result.SignedIn signedIn(Result result) {
    assertThat(result).isInstanceOf(Result.SignedIn.class);
    return (Result.SignedIn) result;
  }

  @Test
  void a_person_signs_in_with_a_role_by_their_claims_and_any_node_finishes() {
    Begun.Away begun = begin(node, "/team/github.com/acme/shop?x=1");
    var asked = FakeProvider.form(begun.page().getRawQuery());
    assertThat(asked)
        .containsEntry("response_type", "code")
        .containsEntry("client_id", "mainstay")
        .containsEntry("redirect_uri", BACK)
        .containsEntry("scope", "openid profile email groups")
        .containsEntry("code_challenge_method", "S256");
    assertThat(begun.pending()).doesNotContain(asked.get("state")).hasSizeLessThan(3000);
    var result = signedIn(other.finish(visit(begun), begun.pending()));
    assertThat(result.returnTo()).isEqualTo("/team/github.com/acme/shop?x=1");
    var visitor = sessions.find(result.opened().secret()).orElseThrow();
    assertThat(visitor.role()).isEqualTo(Role.MEMBER);
    assertThat(visitor.name()).isEqualTo("Ann");
    assertThat(visitor.caller().organizationId()).isEqualTo(team.id());
  }

  @Test
  void what_the_provider_did_not_sign_for_this_sign_in_is_refused() {
    Map<String, Runnable> lies = new LinkedHashMap<>();
    lies.put("another nonce", () -> claim(c -> c.claim("nonce", "n-" + UUID.randomUUID())));
    lies.put("no nonce", () -> claim(c -> c.claim("nonce", null)));
    lies.put("another audience", () -> claim(c -> c.audience("someone-else")));
    lies.put("no audience", () -> claim(c -> c.audience((String) null)));
    lies.put("another party", () -> claim(c -> c.claim("azp", "someone-else")));
    lies.put("another issuer", () -> claim(c -> c.issuer("https://evil.example")));
    lies.put("expired", () -> claim(c -> c.expirationTime(in(Duration.ofSeconds(-61)))));
    lies.put("no end", () -> claim(c -> c.expirationTime(null)));
    lies.put("not yet", () -> claim(c -> c.notBeforeTime(in(Duration.ofMinutes(2)))));
    lies.put("of the future", () -> claim(c -> c.issueTime(in(Duration.ofMinutes(2)))));
    lies.put("nobody", () -> claim(c -> c.subject(null)));
    lies.put("a blank", () -> claim(c -> c.subject(" ")));
    lies.put("a line break", () -> claim(c -> c.subject("a\nb")));
    lies.put("too long a name", () -> claim(c -> c.subject("x".repeat(256))));
    lies.put(
        "another key",
        () -> provider.signer = all -> FakeProvider.signed(all, FakeProvider.OTHER_KEY));
    lies.put("no signature", () -> provider.signer = PlainJWT::new);
    lies.put("signed by a secret", () -> provider.signer = OidcSignInTest::signedBySecret);
    var believed = new ArrayList<String>();
    int before = sessionsOfPeople();
    lies.forEach(
        (lie, told) -> {
          provider.claims = UnaryOperator.identity();
          provider.signer = all -> FakeProvider.signed(all, FakeProvider.KEY);
          told.run();
          if (!(signIn() instanceof Result.Refused)) {
            believed.add(lie);
          }
        });
    assertThat(believed).isEmpty();
    assertThat(sessionsOfPeople()).isEqualTo(before);
  }

  /** Only the holder of a private key is believed, and not whoever shares a secret. */
  private static SignedJWT signedBySecret(JWTClaimsSet claims) {
    var header = new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("the-key").build();
    var token = new SignedJWT(header, claims);
    try {
      token.sign(new MACSigner(FakeProvider.SECRET.repeat(2)));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return token;
  }

  @Test
  void a_sign_in_is_finished_once_in_the_browser_that_began_it_and_in_time() {
    provider.forgetsUsedCodes = false;
    Begun.Away begun = begin(node, "/");
    OidcSignIn.Callback back = visit(begun);
    Begun.Away elsewhere = begin(node, "/");
    assertRefused(node.finish(back, elsewhere.pending()));
    assertRefused(node.finish(back, ""));
    assertRefused(node.finish(back, "AAAA"));
    assertRefused(node.finish(back, "A".repeat(5000)));
    assertRefused(node.finish(back, begun.pending().substring(2)));
    var noState =
        new OidcSignIn.Callback(back.code(), Optional.empty(), back.issuer(), Optional.empty());
    assertRefused(node.finish(noState, begun.pending()));
    var issuer = Optional.of("https://evil.example");
    var mixedUp = new OidcSignIn.Callback(back.code(), back.state(), issuer, Optional.empty());
    assertRefused(node.finish(mixedUp, begun.pending()));
    signedIn(node.finish(back, begun.pending()));
    assertRefused(node.finish(back, begun.pending()));
    assertRefused(other.finish(back, begun.pending()));
    Begun.Away slow = begin(node, "/");
    OidcSignIn.Callback late = visit(slow);
    CLOCK.advance(OidcSignIn.LONGEST);
    assertRefused(node.finish(late, slow.pending()));
  }

  @Test
  void a_code_that_the_provider_does_not_know_or_has_taken_opens_nothing() {
    Begun.Away begun = begin(node, "/");
    OidcSignIn.Callback back = visit(begun);
    var guessed =
        new OidcSignIn.Callback(
            Optional.of("code-77"), back.state(), back.issuer(), Optional.empty());
    assertRefused(node.finish(guessed, begun.pending()));
    var denied =
        new OidcSignIn.Callback(
            Optional.empty(), back.state(), Optional.empty(), Optional.of("access_denied"));
    assertThat(node.finish(denied, begun.pending()))
        .isEqualTo(new Result.Refused("The identity provider did not sign you in: access_denied."));
    var hostile =
        new OidcSignIn.Callback(
            Optional.empty(), back.state(), Optional.empty(), Optional.of("<b>no</b>"));
    assertThat(node.finish(hostile, begun.pending()))
        .isEqualTo(new Result.Refused("The identity provider did not sign you in."));
  }

  @Test
  void a_role_follows_the_claims_of_the_last_sign_in() {
    claim(c -> c.subject("bob").claim("groups", List.of("ops", "eng")));
    String first = signedIn(signIn()).opened().secret();
    assertThat(sessions.find(first).orElseThrow().role()).isEqualTo(Role.ADMIN);
    claim(c -> c.subject("bob").claim("groups", "eng"));
    assertThat(signedIn(signIn()).opened().visitor().role()).isEqualTo(Role.MEMBER);
    assertThat(sessions.find(first).orElseThrow().role()).isEqualTo(Role.MEMBER);
    for (Object none : new Object[] {List.of("guests"), "engineering", Map.of("eng", 1), 7}) {
      claim(c -> c.subject("bob").claim("groups", none));
      assertThat(signIn()).as("%s", none).isEqualTo(new Result.NoRole("Ann"));
    }
    assertThat(sessions.find(first)).isEmpty();
  }

  @Test
  void roles_are_found_by_a_path_by_a_name_with_dots_and_for_everybody() {
    var nested = Map.of("realm_access", Map.of("roles", List.of("ops")));
    assertThat(rules("realm_access.roles").role(nested)).contains(Role.ADMIN);
    assertThat(
            rules("https://acme.example/roles").role(Map.of("https://acme.example/roles", "ops")))
        .contains(Role.ADMIN);
    assertThat(rules("realm_access.roles").role(Map.of("realm_access", "ops")))
        .contains(Role.VIEWER);
    assertThat(new RoleRules("groups", RoleRules.read("member=eng")).role(Map.of())).isEmpty();
    for (String wrong : List.of("", "admin", "admin=", "root=ops", "admin=ops,", "=ops")) {
      assertThatThrownBy(() -> RoleRules.read(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static RoleRules rules(String claim) {
    return new RoleRules(claim, RoleRules.read("admin=ops, member=eng,viewer=*"));
  }

  @Test
  void names_are_made_harmless_and_nobody_is_led_elsewhere() {
    claim(c -> c.subject("eve").claim("name", "Eve\u0000\n\u202e" + "x".repeat(300)));
    assertThat(signedIn(signIn()).opened().visitor().name()).hasSize(100).startsWith("Eve xxx");
    claim(c -> c.subject("eve").claim("name", 7).claim("preferred_username", "eve7"));
    assertThat(signedIn(signIn()).opened().visitor().name()).isEqualTo("eve7");
    for (String elsewhere :
        List.of("//evil.example", "/\\evil.example", "https://evil.example", "", "/a\nb")) {
      Begun.Away begun = begin(node, elsewhere);
      assertThat(signedIn(node.finish(visit(begun), begun.pending())).returnTo())
          .as(elsewhere)
          .isEqualTo("/");
    }
  }

  @Test
  void a_provider_that_is_not_who_it_should_be_is_not_gone_to() {
    String evil = "https://evil.example";
    List<UnaryOperator<String>> lies =
        List.of(
            text -> text.replace("\"issuer\":\"" + provider.issuer(), "\"issuer\":\"" + evil),
            text -> text.replace(provider.at("/team/token"), "http://10.0.0.1/token"),
            text -> text.replace(provider.at("/team/keys"), "file:///etc/passwd"),
            text -> text.replace(provider.at("/team/authorize"), "javascript:alert(1)"),
            text -> text.replace("jwks_uri", "no_keys"),
            text -> text.substring(1),
            text -> "[".repeat(100_000),
            text -> "{}");
    for (var lie : lies) {
      provider.discovery = lie;
      try (var fresh = open(settings("groups", "member=eng"))) {
        assertThat(fresh.begin(BACK, "/")).isInstanceOf(Begun.Refused.class);
      }
    }
    provider.close();
    try (var fresh = open(settings("groups", "member=eng"))) {
      assertThat(fresh.begin(BACK, "/"))
          .isEqualTo(
              new Begun.Refused(
                  "The identity provider does not answer as it should: try again in a moment."));
    }
  }

  @Test
  void answers_are_bounded_in_time_and_size_and_lead_nowhere() throws IOException {
    try (var http = new BoundedHttp(Duration.ofSeconds(5))) {
      assertThat(http.get(URI.create(provider.at("/whole")))).hasSize(BoundedHttp.MOST_BYTES);
      for (String path : List.of("/huge", "/away")) {
        assertThatThrownBy(() -> http.get(URI.create(provider.at(path))))
            .as(path)
            .isInstanceOf(IOException.class);
      }
    }
    try (var hasty = new BoundedHttp(Duration.ofMillis(200))) {
      assertThatThrownBy(() -> hasty.get(URI.create(provider.at("/silent"))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no answer within");
    }
  }

  @Test
  void what_is_missing_at_the_start_is_said() throws IOException {
    var good = settings("groups", "member=eng");
    var nowhere = new OidcSettings(good.issuer(), good.clientId(), secret, "nobody", good.roles());
    assertThatThrownBy(() -> open(nowhere))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("no organization nobody")
        .hasMessageContaining("MAINSTAY_OIDC_ORG");
    Path empty = Files.writeString(directory.resolve("empty"), "\n");
    for (Path file : List.of(empty, directory.resolve("none"))) {
      var blank = new OidcSettings(good.issuer(), good.clientId(), file, "team", good.roles());
      assertThatThrownBy(() -> open(blank))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("MAINSTAY_OIDC_CLIENT_SECRET_FILE");
    }
  }

  private void claim(UnaryOperator<JWTClaimsSet.Builder> change) {
    provider.claims = change;
  }

  private static Date in(Duration time) {
    return Date.from(CLOCK.instant().plus(time));
  }

  private static void assertRefused(Result result) {
    assertThat(result).isInstanceOf(Result.Refused.class);
  }

  private static int sessionsOfPeople() {
    return database.query(
        handle ->
            handle
                .select("SELECT count(*) FROM session WHERE of_person")
                .mapTo(Integer.class)
                .one());
  }
}
