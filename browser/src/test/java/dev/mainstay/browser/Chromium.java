package dev.mainstay.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The browser of this machine, one for all tests, and somebody who is signed in. */
final class Chromium {
  private static final Browser BROWSER = start();
  private static final Map<String, String> SIGNED_IN = new HashMap<>();

  private Chromium() {}

  /** How a page is looked at. */
  record Look(int width, int height, boolean dark) {
    static final Look DESK = new Look(1280, 800, false);
    static final Look PHONE_AT_NIGHT = new Look(390, 844, true);

    Look atNight() {
      return new Look(width, height, true);
    }

    @Override
    public String toString() {
      return "%d wide, %s".formatted(width, dark ? "dark" : "light");
    }
  }

  /** A name of this machine that a browser takes for another one. */
  static final String ELSEWHERE = "mainstay.example";

  private static Browser start() {
    // The driver is in the class path, the browser on this machine: nothing is ever fetched.
    var options =
        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"));
    Playwright playwright = Playwright.create(options);
    Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
    return playwright
        .chromium()
        .launch(
            new BrowserType.LaunchOptions()
                .setExecutablePath(executable())
                // Chromium's own sandbox does not start as root.
                .setChromiumSandbox(false)
                .setArgs(
                    List.of(
                        "--disable-dev-shm-usage",
                        "--host-resolver-rules=MAP " + ELSEWHERE + " 127.0.0.1")));
  }

  private static Path executable() {
    return Stream.of(
            Optional.ofNullable(System.getenv("MAINSTAY_CHROMIUM")).orElse(""),
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser")
        .filter(path -> !path.isEmpty())
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "There is no Chromium: install it (apt-get install chromium), or name one in MAINSTAY_CHROMIUM."));
  }

  /** A browser of somebody whom the node does not know yet. */
  static BrowserContext stranger(
      Served node, Look look, UnaryOperator<Browser.NewContextOptions> more) {
    var options =
        new Browser.NewContextOptions()
            .setBaseURL(node.url())
            .setLocale("en-GB")
            .setTimezoneId("Asia/Tokyo")
            .setViewportSize(look.width(), look.height())
            .setColorScheme(look.dark() ? ColorScheme.DARK : ColorScheme.LIGHT);
    return BROWSER.newContext(more.apply(options));
  }

  /** A browser of the administrator, who is signed in. */
  static BrowserContext signedIn(Served node, Look look) {
    return signedIn(node, look, UnaryOperator.identity());
  }

  static BrowserContext signedIn(
      Served node, Look look, UnaryOperator<Browser.NewContextOptions> more) {
    String state =
        SIGNED_IN.computeIfAbsent(
            node.url(),
            url -> {
              try (var context = stranger(node, look, UnaryOperator.identity())) {
                signIn(context.newPage(), Served.KEY);
                return context.storageState();
              }
            });
    return stranger(node, look, options -> more.apply(options.setStorageState(state)));
  }

  /** Signs in with a key, by the form. */
  static void signIn(Page page, String key) {
    page.navigate("/sign-in?to=/account");
    page.getByLabel("API key").fill(key);
    page.locator("main button").click();
    page.waitForURL("**/account");
  }
}
