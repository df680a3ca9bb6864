package dev.mainstay.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.mainstay.browser.Chromium.Look;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people do on pages, with JavaScript and without. */
class ActionsTest {
  private static final String QUEUE = Scene.at(Scene.SHOP, "queues", "main");

  private final Scene scene = Scene.shared();
  private final List<String> questions = new ArrayList<>();

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  /** The sentence after an action. */
  private static Locator notice(Page page) {
    return page.locator(".notice");
  }

  @ParameterizedTest(name = "JavaScript: {0}")
  @ValueSource(booleans = {true, false})
  void every_action_of_the_pages_of_a_queue_does_what_it_says(boolean script) {
    try (BrowserContext context =
        Chromium.signedIn(
            scene.second(), Look.DESK, options -> options.setJavaScriptEnabled(script))) {
      Page page = context.newPage();
      page.onDialog(
          dialog -> {
            questions.add(dialog.message());
            dialog.accept();
          });
      int number = scene.freeNumber();
      page.navigate(QUEUE);
      page.getByLabel("Number of the pull request").fill(String.valueOf(number));
      button(page, "Submit").click();
      assertThat(page.locator("h1")).containsText("#" + number);
      assertThat(notice(page)).isVisible();
      scene.run(number);
      page.navigate(QUEUE + "/pulls/" + number);

      page.getByLabel("Priority").selectOption("high");
      button(page, "Set priority").click();
      assertThat(page.locator("dl.facts")).containsText("high");
      assertThat(scene.shown(number).path("priorityName").asString()).isEqualTo("high");

      button(page, "Run its tests again").click();
      assertThat(page.locator(".why")).containsText("Its tests were restarted");
      button(page, "Cancel").click();
      assertThat(page.locator("h1 + .sub")).containsText("Cancelled");
      button(page, "Submit again").click();
      assertThat(button(page, "Cancel")).isVisible();

      page.navigate(QUEUE);
      button(page, "Pause").click();
      assertThat(page.locator("h1")).containsText("Paused");
      button(page, "Drain").click();
      assertThat(page.locator("h1")).containsText("Draining");
      button(page, "Resume").click();
      assertThat(page.locator("h1")).containsText("Running");
      assertThat(questions).as("what cannot be taken back").hasSize(script ? 2 : 0);
    }
  }

  @ParameterizedTest(name = "JavaScript: {0}")
  @ValueSource(booleans = {true, false})
  void what_did_not_work_is_a_page_that_says_why(boolean script) {
    try (BrowserContext context =
        Chromium.signedIn(
            scene.second(), Look.DESK, options -> options.setJavaScriptEnabled(script))) {
      Page page = context.newPage();
      page.navigate(QUEUE);
      page.getByLabel("Number of the pull request").fill("99999");
      button(page, "Submit").click();
      assertThat(page.locator("h1")).isVisible();
      page.navigate(QUEUE + "/pulls/54321");
      assertThat(page.locator("h1")).hasText("Nothing here");
    }
  }

  @ParameterizedTest(name = "JavaScript: {0}")
  @ValueSource(booleans = {true, false})
  void one_signs_in_with_a_key_and_out_again(boolean script) {
    try (BrowserContext context =
        Chromium.stranger(
            scene.second(), Look.DESK, options -> options.setJavaScriptEnabled(script))) {
      Page page = context.newPage();
      page.navigate(QUEUE);
      assertThat(page.locator("h1")).hasText("Sign in");
      page.getByLabel("API key").fill("not-a-key-of-anybody");
      button(page, "Sign in").click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("unknown");
      page.getByLabel("API key").fill(Served.KEY);
      button(page, "Sign in").click();
      assertThat(page).hasURL(scene.second().url() + QUEUE);
      page.navigate("/account");
      button(page, "Sign out").click();
      assertThat(page.locator("h1")).hasText("Sign in");
      page.navigate(QUEUE);
      assertThat(page.locator("h1")).hasText("Sign in");
    }
  }

  @Test
  void a_link_with_a_key_signs_in_on_this_machine_and_asks_first_elsewhere() {
    String link = "/sign-in?to=/account#" + Served.KEY;
    try (BrowserContext context =
        Chromium.stranger(scene.first(), Look.DESK, UnaryOperator.identity())) {
      Page page = context.newPage();
      page.navigate(link);
      assertThat(page).hasURL(scene.first().url() + "/account");
    }
    String there = scene.first().url().replace("localhost", Chromium.ELSEWHERE);
    try (BrowserContext context =
        Chromium.stranger(scene.first(), Look.DESK, UnaryOperator.identity())) {
      Page page = context.newPage();
      page.navigate(there + link);
      assertThat(page.locator("main button")).isFocused();
      assertThat(page).hasURL(there + "/sign-in?to=/account");
      page.keyboard().press("Enter");
      assertThat(page).hasURL(there + "/account");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"desk", "phone"})
  void without_JavaScript_every_page_can_be_read(String where) {
    Look look = where.equals("desk") ? Look.DESK : Look.PHONE_AT_NIGHT;
    try (BrowserContext context =
        Chromium.signedIn(scene.second(), look, options -> options.setJavaScriptEnabled(false))) {
      Page page = context.newPage();
      for (var place : PagesTest.PAGES) {
        page.navigate(place.path().apply(scene));
        assertThat(page.locator("h1")).isVisible();
        assertThat(page.locator(".needs-js").locator("visible=true")).hasCount(0);
        for (Locator time : page.locator("time").all()) {
          assertThat(time).containsText("UTC");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"queue", "run of now"})
  void times_are_those_of_the_reader_with_the_universal_one_beside_it(String name) {
    var place = PagesTest.PAGES.stream().filter(p -> p.name().equals(name)).findFirst();
    try (BrowserContext context =
        Chromium.signedIn(scene.second(), Look.DESK, UnaryOperator.identity())) {
      Page page = context.newPage();
      page.navigate(place.orElseThrow().path().apply(scene));
      Locator time = page.locator("main time").first();
      assertThat(time).hasAttribute("title", Pattern.compile(" · .* UTC$"));
      assertThat(time).not().containsText("UTC");
    }
  }
}
