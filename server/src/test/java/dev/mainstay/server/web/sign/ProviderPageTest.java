package dev.mainstay.server.web.sign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.access.oidc.FakeProvider;
import dev.mainstay.server.web.Visitor;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signing in with the team's account, from page to page as a browser goes. */
class ProviderPageTest {
  private static final String SETTINGS = "/default/settings";
  private static final Pattern AWAY = Pattern.compile("href=\"(/sign-in/oidc[^\"]*)\"");

  private final MovableClock clock = new MovableClock();
  @TempDir private Path directory;
  private FakeProvider provider;
  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    provider = new FakeProvider(clock);
    Path secret = Files.writeString(directory.resolve("secret"), FakeProvider.SECRET);
    node =
        TestNode.start(
            TestDatabase.withTables(),
            clock,
            Map.of(
                Setting.OIDC_ISSUER,
                provider.issuer(),
                Setting.OIDC_CLIENT_ID,
                FakeProvider.CLIENT,
                Setting.OIDC_CLIENT_SECRET_FILE,
                secret.toString(),
                Setting.OIDC_ROLES,
                "admin=ops,member=eng"));
  }

  @AfterEach
  void stop() {
    node.close();
    provider.close();
  }

  /** The way to the provider, from the page that one wanted to see. */
  private URI away(Visitor visitor, String wanted) {
    var stopped = visitor.look(wanted);
    assertThat(stopped.status()).isEqualTo(303);
    var link = AWAY.matcher(visitor.look(stopped.header("location")).body());
    assertThat(link.find()).isTrue();
    return sentTo(visitor.look(link.group(1)));
  }

  private URI sentTo(Visitor.Seen seen) {
    assertThat(seen.status()).as(seen.body()).isEqualTo(303);
    assertThat(seen.header("set-cookie"))
        .startsWith("mainstay-%d-pending=".formatted(node.port()))
        .contains("; HttpOnly; SameSite=Lax");
    URI page = URI.create(seen.header("location"));
    assertThat(page.toString()).startsWith(provider.issuer() + "/authorize?");
    return page;
  }

  /** The path with which the provider sends a browser back. */
  private String signedInAt(URI page) {
    URI back = provider.visit(page);
    assertThat(back.getAuthority()).isEqualTo("127.0.0.1:" + node.port());
    return back.getRawPath() + "?" + back.getRawQuery();
  }

  private Visitor ann() {
    var ann = Visitor.stranger(node);
    ann.look(signedInAt(away(ann, "/account")));
    return ann;
  }

  @Test
  void one_comes_back_to_what_one_wanted_in_the_role_that_the_provider_tells() {
    var ann = Visitor.stranger(node);
    String back = signedInAt(away(ann, "/account?a=b"));
    var in = ann.look(back);
    assertThat(in.status()).as(in.body()).isEqualTo(303);
    assertThat(in.header("location")).isEqualTo("/account?a=b");
    assertThat(in.header("set-cookie")).startsWith("mainstay-%d=".formatted(node.port()));
    assertThat(ann.look("/account").body()).contains("Ann").contains("member");
    assertThat(ann.look(SETTINGS).body()).doesNotContain("<form").contains("lacks the scope");

    var again = Visitor.stranger(node).look(back);
    assertThat(again.status()).as("somebody else with the same address").isEqualTo(403);
    assertThat(again.header("set-cookie")).isEmpty();
  }

  @Test
  void an_answer_is_good_once_in_the_browser_that_asked_for_it_and_leads_nowhere_else() {
    var eve = Visitor.stranger(node);
    for (String to : List.of("//evil.example", "https://evil.example", "/%5Cevil.example")) {
      String back = signedInAt(sentTo(eve.look("/sign-in/oidc?to=" + to)));
      assertThat(eve.look(back).header("location")).as(to).isEqualTo("/");
    }
    String hers = signedInAt(away(Visitor.stranger(node), "/account"));
    var other = Visitor.stranger(node);
    away(other, "/account");
    var refused = other.look(hers);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body()).contains("<h1>Not allowed</h1>");
    assertThat(other.look("/account").status()).isEqualTo(303);
    String denied = "/sign-in/oidc/callback?error=%3Cscript%3E&state=x";
    assertThat(other.look(denied).status()).isEqualTo(403);
    assertThat(other.look(denied).body()).doesNotContain("<script>window").doesNotContain("%3C");
  }

  @Test
  void nobody_gets_in_without_a_role_and_whoever_loses_it_is_out_at_once() {
    var ann = ann();
    assertThat(ann.look("/account").status()).isEqualTo(200);
    provider.claims = token -> token.claim("groups", List.of("all"));
    var later = Visitor.stranger(node);
    var refused = later.look(signedInAt(away(later, "/account")));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body()).contains("Ann is signed in, but has no role here");
    assertThat(ann.look("/account").status()).as("her session of before").isEqualTo(303);
  }

  @Test
  void an_admin_signs_a_person_out_in_the_table_of_people() {
    var ann = ann();
    var admin = Visitor.signedIn(node, node.token());
    String people = admin.look(SETTINGS).body();
    assertThat(people).contains("ann@example.com").contains("End all sessions of Ann?");
    String id = people.replaceAll("(?s).*name=\"person_id\" value=\"([^\"]+)\".*", "$1");
    var out = admin.act(SETTINGS, SETTINGS + "/people", Map.of("person_id", id));
    assertThat(out.header("location")).isEqualTo(SETTINGS + "?said=signed_out");
    assertThat(ann.look("/account").header("location")).startsWith("/sign-in?to=");
    assertThat(admin.look(SETTINGS).body()).doesNotContain("End all sessions of Ann?");
  }
}
