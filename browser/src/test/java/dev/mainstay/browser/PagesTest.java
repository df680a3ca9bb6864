package dev.mainstay.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.args.AxeRunOptions;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.mainstay.browser.Chromium.Look;
import java.util.List;
import java.util.function.Function;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Every page, in light and dark, on a desk and on a phone, full of names that are meant to do harm.
 */
class PagesTest {
  /** A page: its name, the status it is answered with, and where it is. */
  record Place(String name, int status, Function<Scene, String> path) {
    Place(String name, Function<Scene, String> path) {
      this(name, 200, path);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Place> PAGES =
      List.of(
          new Place("sign in", s -> "/sign-in?to=" + Scene.encoded("/x?\"'><script>")),
          new Place("you", s -> "/account"),
          new Place("nothing here", 404, s -> Scene.at("git.example/no/such", "queues", "main")),
          new Place("first page", s -> "/"),
          new Place("repository", s -> shop()),
          new Place("queue", s -> shop("queues", "main")),
          new Place("health of a queue", s -> shop("queues", "main", "health")),
          new Place("who left", s -> shop("queues", "main", "health", "left")),
          new Place("what if, too little", s -> shop("queues", "main", "what-if")),
          new Place("queue of an odd branch", s -> shop("queues", Scene.ODD_BRANCH)),
          new Place("pull request: script", s -> shop("queues", "main", "pulls", "2")),
          new Place("pull request: quotes", s -> shop("queues", "main", "pulls", "3")),
          new Place("pull request: long", s -> shop("queues", "main", "pulls", "5")),
          new Place("failed pull request", s -> shop("queues", "main", "pulls", "" + Scene.FAILED)),
          new Place("merged pull request", s -> shop("queues", "main", "pulls", "" + Scene.MERGED)),
          new Place("failed run", s -> shop("runs", s.failedRun())),
          new Place("run of now", s -> shop("runs", s.openRun())),
          new Place("tests", s -> shop("tests")),
          new Place("tests that are searched", s -> shop("tests") + "?search=%3Cscript%3E%22'"),
          new Place("test", s -> shop("tests", s.failedTest())),
          new Place("quarantine", s -> Scene.at(Scene.HIDDEN, "quarantine")),
          new Place("nothing quarantined", s -> shop("quarantine")),
          new Place("uploads", s -> shop("uploads")),
          new Place("upload", s -> shop("uploads", s.upload())),
          new Place("ticket", s -> "/acme/tickets/" + Scene.TICKET),
          new Place("repository's settings", s -> shop("settings")),
          new Place("organization's settings", s -> "/acme/settings"),
          new Place("new endpoint", s -> "/acme/settings?webhook=new"),
          new Place("endpoint", s -> "/acme/settings?webhook=" + s.webhook()),
          new Place("description", s -> "/docs"));

  private static String shop(String... parts) {
    return Scene.at(Scene.SHOP, parts);
  }

  private final Scene scene = Scene.shared();

  @ParameterizedTest
  @FieldSource("PAGES")
  void a_page_is_sound(Place place) {
    var all = new SoftAssertions();
    for (Look look : List.of(Look.DESK, Look.PHONE_AT_NIGHT, Look.DESK.atNight())) {
      check(place, look, all);
    }
    all.assertAll();
  }

  private void check(Place place, Look look, SoftAssertions all) {
    String what = place.name() + ", " + look;
    try (BrowserContext context = Chromium.signedIn(scene.second(), look)) {
      var complaints = Complaints.of(context);
      Page page = context.newPage();
      var response = page.navigate(place.path().apply(scene));
      all.assertThat(response.status()).as(what).isEqualTo(place.status());
      all.assertThat(complaints.on(page).stream().filter(c -> !isOwnStatus(c, place)))
          .as(what)
          .isEmpty();
      all.assertThat(page.evaluate("window.owned")).as(what).isNull();
      all.assertThat(page.evaluate("document.querySelectorAll('script:not([src])').length"))
          .as(what)
          .isEqualTo(0);
      all.assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
          .as("%s: the page is wider than the window because of %s", what, widest(page))
          .isLessThanOrEqualTo(look.width());
      all.assertThat(serious(page)).as(what).isEmpty();
    }
  }

  /** Chromium says on its console that a page was answered with an error. */
  private static boolean isOwnStatus(String complaint, Place place) {
    return place.status() != 200 && complaint.contains("status of " + place.status());
  }

  /** The innermost elements that stick out, for whoever has to mend it. */
  private static Object widest(Page page) {
    return page.evaluate(
        """
        () => [...document.querySelectorAll("body *")]
          .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".scroll, .tabs, pre"))
          .map(e => e.outerHTML.slice(0, 120)).slice(-3).join(" | ")
        """);
  }

  /**
   * Violations alone, without a selector for each element that passed, and in the page itself: the
   * other way is for pages with frames, and loads axe once more into a page of its own.
   */
  private static List<String> serious(Page page) {
    assertThat(page.frames()).hasSize(1);
    var options = new AxeRunOptions();
    options.setResultTypes(List.of("violations"));
    return new AxeBuilder(page)
        .setLegacyMode(true).options(options).analyze().getViolations().stream()
            .filter(rule -> List.of("serious", "critical").contains(rule.getImpact()))
            .map(PagesTest::sentence)
            .toList();
  }

  private static String sentence(Rule rule) {
    return "%s: %s at %s"
        .formatted(
            rule.getId(),
            rule.getHelp(),
            rule.getNodes().stream().limit(3).map(n -> n.getTarget() + " " + n.getHtml()).toList());
  }
}
