package dev.mainstay.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PageAssertions.HasURLOptions;
import com.microsoft.playwright.options.AriaRole;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.browser.Chromium.Look;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What those who look after repositories, keys and people do, and what hostile output does not. */
class AdminTest {
  private static final String ORGANIZATION = "/" + Scene.ORGANIZATION + "/settings";

  /** Neighbours may be busy. */
  private static final double PATIENCE = 30_000;

  private final Scene scene = Scene.shared();

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static void open(Page page, String summary) {
    page.locator("summary", new Page.LocatorOptions().setHasText(summary)).click();
  }

  private static Locator secret(Page page) {
    return page.locator("#secret");
  }

  private Page admin(BrowserContext context) {
    Page page = context.newPage();
    page.onDialog(Dialog::accept);
    return page;
  }

  @Test
  void a_repository_is_connected_checked_connected_anew_and_disconnected() {
    String address = scene.folder("git.example/acme/fresh", List.of("One")).directory().toString();
    String settings = Scene.at("git.example/acme/fresh", "settings");
    try (BrowserContext context = Chromium.signedIn(scene.second(), Look.DESK)) {
      Page page = admin(context);
      page.navigate(ORGANIZATION);
      open(page, "Say where its code is");
      page.getByLabel("Repository").fill("git.example/acme/fresh");
      page.locator("input[name=address]").fill("/nowhere/at/all");
      button(page, "Connect").click();
      assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
      open(page, "Say where its code is");
      page.getByLabel("Repository").fill("git.example/acme/fresh");
      page.locator("input[name=address]").fill(address);
      page.getByLabel("Test command").fill("make 'check' && true");
      button(page, "Connect").click();
      assertThat(page.locator("h1")).hasText("Connected acme/fresh");
      String first = secret(page).textContent();
      page.locator("main a.button").click();
      assertThat(page).hasURL(scene.second().url() + settings);
      assertThat(page.locator("#connection")).containsText(address);
      assertThat(page.locator("#connection")).containsText("make 'check' && true");

      button(page, "Check it").click();
      assertThat(page.locator("#connection")).containsText("It answers, and nothing is missing.");
      scene.first().post("createQueue", Scene.about("git.example/acme/fresh", ""));
      button(page, "Check it").click();
      assertThat(page.locator("#connection")).containsText("The branch main is there.");

      page.navigate(settings);
      open(page, "Connect it anew");
      assertThat(page.getByLabel("Test command")).hasValue("make 'check' && true");
      page.getByLabel("Test command").fill("make all");
      button(page, "Connect").click();
      assertThat(secret(page)).not().hasText(first);
      page.locator("main a.button").click();
      assertThat(page.locator("#connection")).containsText("make all");

      button(page, "Disconnect").click();
      assertThat(page.locator("#connection")).containsText("Not connected");
    }
  }

  @Test
  void the_secret_of_a_key_is_on_the_screen_once() {
    try (BrowserContext context = Chromium.signedIn(scene.second(), Look.DESK)) {
      Page page = admin(context);
      page.navigate(ORGANIZATION);
      open(page, "New key");
      page.getByLabel("What it is for").fill("robot");
      page.getByLabel("queue").check();
      button(page, "Make the key").click();
      String made = secret(page).textContent();
      page.evaluate("location.reload()");
      assertThat(page.locator("h1")).hasText("Organization");
      assertThat(page.locator("body")).not().containsText(made);
      Locator row = page.locator("#keys tbody tr", hasText("robot"));
      assertThat(row).hasCount(1);
      assertThat(row).containsText("read, queue");

      row.getByText("Rotate").click();
      String next = secret(page).textContent();
      assertThat(next).isNotEqualTo(made);
      page.locator("main a.button").click();
      assertThat(page.locator("h1")).hasText("Organization");
      page.goBack();
      assertThat(page.locator("h1")).isVisible();
      assertThat(page.locator("body")).not().containsText(next);

      page.navigate(ORGANIZATION);
      row.first().getByText("Revoke").click();
      assertThat(page.locator(".notice")).containsText("revoked");
      assertThat(row.filter(new Locator.FilterOptions().setHasText("revoked"))).hasCount(1);
    }
  }

  @Test
  void an_endpoint_for_events_is_made_tried_paused_and_deleted() throws IOException {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    receiver.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(418, -1);
          }
        });
    receiver.start();
    try (BrowserContext context = Chromium.signedIn(scene.second(), Look.PHONE_AT_NIGHT)) {
      Page page = admin(context);
      page.navigate(ORGANIZATION);
      page.getByText("New endpoint").click();
      assertThat(page.locator("h1")).hasText("New endpoint");
      page.locator("[name=url]")
          .fill("http://127.0.0.1:%d/x".formatted(receiver.getAddress().getPort()));
      page.locator("[name=name]").fill("teapot");
      page.locator("[name=which][value=ticked]").check();
      open(page, "Kinds of events");
      page.locator("[name='kind:queue.deleted']").uncheck();
      button(page, "Make the endpoint").click();
      assertThat(secret(page)).containsText("whsec_");
      page.evaluate("location.reload()");
      assertThat(page.locator("h1")).hasText("teapot");
      assertThat(page.locator("body")).not().containsText("whsec_");
      assertThat(page.locator("[name='kind:queue.deleted']")).not().isChecked();
      assertThat(page.locator("[name='kind:queue.paused']")).isChecked();

      button(page, "Send a test").click();
      assertThat(page.locator("#trial")).containsText("The endpoint answered 418.");
      assertThat(page.locator("#trial pre").first()).containsText("webhook.test");
      button(page, "Pause").click();
      assertThat(page.locator("#state")).containsText("paused");
      button(page, "Switch on").click();
      assertThat(page.locator("#state")).containsText("on");
      open(page, "Delete this endpoint");
      button(page, "Delete it for good").click();
      assertThat(page.locator(".notice")).containsText("deleted");
      assertThat(page.locator("#webhooks")).not().containsText("teapot");
    } finally {
      receiver.stop(0);
    }
  }

  private static Page.LocatorOptions hasText(String text) {
    return new Page.LocatorOptions().setHasText(text);
  }

  @Test
  void whoever_is_signed_out_in_the_table_is_led_to_sign_in() {
    var key = scene.first().post("keys/create", "{'name':'passer-by','scopes':['read']}");
    try (BrowserContext theirs =
            Chromium.stranger(scene.second(), Look.DESK, UnaryOperator.identity());
        BrowserContext context = Chromium.signedIn(scene.first(), Look.DESK)) {
      Page open = theirs.newPage();
      Chromium.signIn(open, key.path("token").asString());
      open.navigate(Scene.at(Scene.SHOP, "queues", "main"));
      Page page = admin(context);
      page.navigate(ORGANIZATION);
      page.locator("#people tbody tr", hasText("passer-by")).getByText("Sign out").click();
      assertThat(page.locator(".notice")).isVisible();
      assertThat(open)
          .hasURL(Pattern.compile("/sign-in\\?to="), new HasURLOptions().setTimeout(PATIENCE));
    }
  }

  @Test
  void output_that_means_harm_is_read_and_does_nothing() {
    String repository = "git.example/acme/loud";
    String address = scene.folder(repository, List.of("Shout")).directory().toString();
    String command =
        "printf \\u0027<script>window.owned=1</script></pre><img src=x onerror=window.owned=1>\\\\n"
            + "\\\\033[31mred\\\\033[0m \\\\033]0;title\\\\007 nul:\\\\000:\\\\n"
            + "\\\\342\\\\200\\\\256sdrawkcab\\\\n\\u0027; "
            + "head -c 100000 /dev/zero | tr \\u0027\\\\0\\u0027 x; echo; echo the end; exit 1";
    scene
        .first()
        .post(
            "connectRepository",
            Scene.about(repository, "'address':'%s','testCommand':'%s'".formatted(address, command))
                .replace(",'targetBranch':'main'", ""));
    scene.first().post("createQueue", Scene.about(repository, ""));
    scene.submit(repository, 1);
    String failed =
        Waiting.until(
                () ->
                    scene
                        .first()
                        .post(
                            "getPullRequestHistory", Scene.about(repository, "'pr':{'number':1}")),
                story -> story.at("/pullRequest/state").asString().equals("FAILED"))
            .at("/submissions/0/testRunIds/0")
            .asString();
    try (BrowserContext context = Chromium.signedIn(scene.second(), Look.PHONE_AT_NIGHT)) {
      var complaints = Complaints.of(context);
      for (String path :
          List.of(
              Scene.at(repository, "queues", "main", "pulls", "1"),
              Scene.at(repository, "runs", failed))) {
        Page page = context.newPage();
        page.navigate(path);
        Locator output = page.locator("main pre");
        assertThat(output).containsText("<script>window.owned=1</script></pre><img");
        assertThat(output).containsText("\nred  nul:\uFFFD:\n");
        assertThat(output).containsText("the end");
        assertThat(page.evaluate("window.owned")).isNull();
        assertThat(page.locator("main pre *")).hasCount(0);
        assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
            .isLessThanOrEqualTo(Look.PHONE_AT_NIGHT.width());
        assertThat(complaints.on(page)).isEmpty();
      }
    }
  }
}
