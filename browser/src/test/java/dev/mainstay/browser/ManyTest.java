package dev.mainstay.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import dev.mainstay.browser.Chromium.Look;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages of long queues. */
class ManyTest {
  private static final int MOST_BYTES = 300_000;

  private final Scene scene = Scene.shared();

  /** A queue of so many pull requests with titles of usual length. */
  private String queue(String name, int pullRequests) {
    String repository = "git.example/acme/" + name;
    scene.queue(
        repository,
        IntStream.rangeClosed(1, pullRequests)
            .mapToObj(n -> "Say more clearly what part %d of the shop is for".formatted(n))
            .toList(),
        "'concurrency':20");
    IntStream.rangeClosed(1, pullRequests).forEach(n -> scene.submit(repository, n));
    return Scene.at(repository, "queues", "main");
  }

  /** Counts what comes over the wire, as it comes: packed, with headers. */
  private static AtomicLong countBytes(Page page) {
    var bytes = new AtomicLong();
    CDPSession session = page.context().newCDPSession(page);
    session.on(
        "Network.loadingFinished",
        event -> bytes.addAndGet(event.get("encodedDataLength").getAsLong()));
    session.send("Network.enable");
    return bytes;
  }

  @Test
  void a_page_of_100_rows_is_light_with_everything() {
    String queue = queue("hundred", 100);
    try (BrowserContext context = Chromium.signedIn(scene.second(), Look.DESK)) {
      Page page = context.newPage();
      AtomicLong bytes = countBytes(page);
      page.navigate(queue);
      assertThat(page.locator("#live")).hasText("Live");
      assertThat(page.locator("tbody tr")).hasCount(100);
      System.out.printf("a page of 100 rows weighs %d bytes with everything%n", bytes.get());
      assertThat(bytes.get()).isBetween(10_000L, (long) MOST_BYTES);
    }
  }

  @Test
  void a_queue_of_300_can_be_used_on_a_desk_and_on_a_phone() {
    String queue = queue("three-hundred", 300);
    for (Look look : new Look[] {Look.DESK, Look.PHONE_AT_NIGHT}) {
      try (BrowserContext context = Chromium.signedIn(scene.second(), look)) {
        var complaints = Complaints.of(context);
        Page page = context.newPage();
        AtomicLong bytes = countBytes(page);
        long begun = System.nanoTime();
        page.navigate(queue);
        assertThat(page.locator("#live")).hasText("Live");
        System.out.printf(
            "300 pull requests, %s: drawn and live after %d ms, %d bytes%n",
            look, (System.nanoTime() - begun) / 1_000_000, bytes.get());
        assertThat(page.locator("tbody tr")).hasCount(300);
        assertThat((int) page.evaluate("document.documentElement.scrollWidth"))
            .isLessThanOrEqualTo(look.width());
        page.locator("tbody tr a").last().click();
        assertThat(page.locator("h1")).containsText("of the shop");
        assertThat(complaints.on(page)).isEmpty();
      }
    }
  }
}
