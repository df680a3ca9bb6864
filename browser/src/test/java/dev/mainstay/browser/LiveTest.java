package dev.mainstay.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import com.microsoft.playwright.assertions.PageAssertions.HasURLOptions;
import dev.mainstay.browser.Chromium.Look;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Pages that follow what happens, on a node where it does not happen. */
class LiveTest {
  private static final String QUEUE = Scene.at(Scene.SHOP, "queues", "main");

  /** Within a second where the machine has nothing else to do; neighbours may be busy. */
  private static final double PATIENCE = 30_000;

  private static final Look LOW = new Look(1280, 360, false);

  /** Long after the beginning of time, which a page that knows no moment would count from. */
  private static final long SAID_AT = 1_000_000_000;

  private final Scene scene = Scene.shared();

  private static void awaitLive(Page page) {
    assertThat(page.locator("#live")).hasText("Live", new HasTextOptions().setTimeout(PATIENCE));
  }

  /** A page that is looked at; it keeps a mark until it is loaded anew. */
  private static Page opened(BrowserContext context) {
    Page page = context.newPage();
    page.navigate(QUEUE);
    page.evaluate("window.mark = 1");
    awaitLive(page);
    return page;
  }

  private static void awaitRow(Page page, int number) {
    assertThat(page.locator("main"))
        .containsText(Scene.title(number), new ContainsTextOptions().setTimeout(PATIENCE));
  }

  @Test
  void what_is_done_at_another_node_appears_and_what_the_reader_does_stays() {
    try (BrowserContext context = Chromium.signedIn(scene.second(), LOW)) {
      var complaints = Complaints.of(context);
      Page page = opened(context);
      Locator field = page.getByLabel("Number of the pull request");
      field.fill("4711");
      page.evaluate("window.scrollTo(0, 250)");
      int number = scene.freeNumber();
      long begun = System.nanoTime();
      scene.submit(Scene.SHOP, number);
      awaitRow(page, number);
      System.out.printf(
          "a submission at another node was on the screen after %d ms%n",
          (System.nanoTime() - begun) / 1_000_000);
      assertThat(page.evaluate("window.mark")).as("not loaded anew").isEqualTo(1);
      assertThat(field).hasValue("4711");
      assertThat(field).isFocused();
      assertThat(page.evaluate("window.scrollY")).isEqualTo(250);
      assertThat(complaints.on(page)).isEmpty();
    }
  }

  @Test
  void the_first_page_follows_the_queues_of_all_repositories() {
    try (BrowserContext context = Chromium.signedIn(scene.second(), Look.DESK)) {
      Page page = context.newPage();
      page.navigate("/");
      page.evaluate("window.mark = 1");
      awaitLive(page);
      scene.queue("git.example/acme/later", List.of("A change"), "'concurrency':1");
      Locator row = page.locator("tr", new Page.LocatorOptions().setHasText("acme/later"));
      assertThat(row.locator("[data-name='In queue']"))
          .hasText("0", new HasTextOptions().setTimeout(PATIENCE));
      scene.submit("git.example/acme/later", 1);
      assertThat(row.locator("[data-name='In queue']"))
          .hasText("1", new HasTextOptions().setTimeout(PATIENCE));
      assertThat(page.evaluate("window.mark")).as("not loaded anew").isEqualTo(1);
    }
  }

  @Test
  void a_field_that_was_left_with_text_in_it_keeps_it_through_many_changes() {
    try (BrowserContext context = Chromium.signedIn(scene.second(), Look.DESK)) {
      Page page = opened(context);
      Locator field = page.getByLabel("Number of the pull request");
      field.fill("4711");
      page.locator("h1").click();
      for (int i = 0; i < 3; i++) {
        int number = scene.freeNumber();
        scene.submit(Scene.SHOP, number);
        awaitRow(page, number);
      }
      assertThat(field).hasValue("4711");
      assertThat(page.evaluate("window.mark")).isEqualTo(1);
    }
  }

  @Test
  void the_answer_to_a_button_stays_to_be_read_while_the_page_changes_and_not_for_ever() {
    try (BrowserContext context = Chromium.signedIn(scene.second(), Look.DESK)) {
      Page page = context.newPage();
      page.clock().setFixedTime(SAID_AT);
      // Where the button leads.
      page.navigate(QUEUE + "?said=resumed");
      awaitLive(page);
      int first = scene.freeNumber();
      scene.submit(Scene.SHOP, first);
      awaitRow(page, first);
      assertThat(page.locator(".notice")).isVisible();
      page.clock().setFixedTime(SAID_AT + 60_000);
      int second = scene.freeNumber();
      scene.submit(Scene.SHOP, second);
      awaitRow(page, second);
      assertThat(page.locator(".notice")).hasCount(0);
    }
  }

  @Test
  void a_lost_connection_says_so_and_comes_back_by_itself() {
    try (BrowserContext context = Chromium.signedIn(scene.second(), Look.DESK)) {
      Page page = opened(context);
      scene.second().stop();
      try {
        assertThat(page.locator("#live"))
            .containsText("Connection lost", new ContainsTextOptions().setTimeout(PATIENCE));
        assertThat(page.locator("h1")).containsText("main");
        int number = scene.freeNumber();
        scene.submit(Scene.SHOP, number);
        scene.second().startAgain();
        awaitRow(page, number);
        awaitLive(page);
        int after = scene.freeNumber();
        scene.submit(Scene.SHOP, after);
        awaitRow(page, after);
      } finally {
        scene.second().startAgain();
      }
    }
  }

  @Test
  void whoever_loses_the_key_is_led_to_sign_in_and_back_again() {
    var key = scene.first().post("keys/create", "{'name':'guest','scopes':['read']}");
    try (BrowserContext context =
        Chromium.stranger(scene.second(), Look.DESK, UnaryOperator.identity())) {
      Chromium.signIn(context.newPage(), key.path("token").asString());
      Page page = opened(context);
      assertThat(page.locator("main form")).hasCount(0);
      scene.first().post("keys/revoke", "{'id':'%s'}".formatted(key.at("/key/id").asString()));
      assertThat(page)
          .hasURL(Pattern.compile("/sign-in\\?to="), new HasURLOptions().setTimeout(PATIENCE));
      page.getByLabel("API key").fill(Served.KEY);
      page.locator("main button").click();
      assertThat(page).hasURL(scene.second().url() + QUEUE);
      awaitLive(page);
    }
  }

  @Test
  void two_windows_show_the_same_and_are_signed_out_together() {
    try (BrowserContext context =
        Chromium.stranger(scene.second(), Look.DESK, UnaryOperator.identity())) {
      Page other = context.newPage();
      Chromium.signIn(other, Served.KEY);
      Page one = opened(context);
      Page two = opened(context);
      int number = scene.freeNumber();
      scene.submit(Scene.SHOP, number);
      awaitRow(one, number);
      awaitRow(two, number);
      other.getByText("Sign out", new Page.GetByTextOptions().setExact(true)).click();
      for (Page page : new Page[] {one, two}) {
        assertThat(page)
            .hasURL(Pattern.compile("/sign-in"), new HasURLOptions().setTimeout(PATIENCE));
      }
    }
  }
}
