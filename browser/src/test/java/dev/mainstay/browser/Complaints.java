package dev.mainstay.browser;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import java.util.ArrayList;
import java.util.List;

/** Everything that a browser complains about while pages are looked at. */
final class Complaints {
  private static final String WATCH =
      """
      window.violations = [];
      document.addEventListener("securitypolicyviolation", function (event) {
        window.violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sourceFile + ":" + event.lineNumber);
      });
      """;

  private final List<String> heard = new ArrayList<>();

  /** Listens to every page of a context. */
  static Complaints of(BrowserContext context) {
    var complaints = new Complaints();
    context.addInitScript(WATCH);
    context.onConsoleMessage(complaints::hear);
    context.onWebError(error -> complaints.heard.add("error: " + error.error()));
    context.onDialog(
        dialog -> {
          complaints.heard.add("dialog: " + dialog.message());
          dialog.dismiss();
        });
    return complaints;
  }

  private void hear(ConsoleMessage message) {
    if (message.type().equals("error") || message.type().equals("warning")) {
      heard.add("%s: %s (%s)".formatted(message.type(), message.text(), message.location()));
    }
  }

  /** What was heard so far, with what the policy kept from happening on this page. */
  List<String> on(Page page) {
    var all = new ArrayList<>(heard);
    if (page.evaluate("window.violations") instanceof List<?> violations) {
      violations.forEach(v -> all.add("policy: " + v));
    }
    heard.clear();
    return all;
  }
}
