package dev.mainstay.cli.github;

import dev.mainstay.server.forge.github.AppManifest;
import dev.mainstay.server.forge.github.NewApp;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;

/** A page for the browser of whoever sets up an App. Every text in it is escaped. */
record SetupPage(int status, String html) {
  private static final int OK = 200;
  private static final int FAILED = 502;

  /** The one button, which proposes the App at this address of GitHub. */
  static SetupPage proposing(AppManifest manifest, String host, String address) {
    String json = new String(Json.write(manifest.json()), StandardCharsets.UTF_8);
    return page(
        OK,
        "Make a GitHub App for Mainstay",
        """
        <p>The App %s is made at %s, which asks you once more and then leads back here.</p>
        <form method="post" action="%s">
        <input type="hidden" name="manifest" value="%s">
        <button>Make the App</button>
        </form>
        """
            .formatted(escaped(manifest.name()), escaped(host), escaped(address), escaped(json)));
  }

  static SetupPage made(NewApp app, String folder) {
    return page(
        OK,
        "The App is made",
        """
        <p>The App %s is made, and its key is in %s where the command runs.</p>
        <p>Next, <a href="%s">install it</a> on your repositories.</p>
        """
            .formatted(escaped(app.slug()), escaped(folder), escaped(app.installation())));
  }

  static SetupPage failed(String sentence) {
    return refused(FAILED, "The App was not set up", sentence);
  }

  static SetupPage refused(int status, String title, String sentence) {
    return page(status, title, "<p>%s</p>\n".formatted(escaped(sentence)));
  }

  private static SetupPage page(int status, String title, String body) {
    return new SetupPage(
        status,
        """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <title>%s</title>
        <h1>%s</h1>
        %s</html>
        """
            .formatted(escaped(title), escaped(title), body));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
