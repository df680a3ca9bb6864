package dev.mainstay.cli.github;

import dev.mainstay.server.forge.github.NewApp;
import dev.mainstay.server.platform.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The way from a new App to a connected repository. Says where secrets are, never what they are.
 */
record NextSteps(NewApp app, Proposal proposal, Path folder) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./-]+");

  void print(PrintWriter out, boolean json) {
    out.print(json ? json() + "\n" : text());
    out.flush();
  }

  private String json() {
    var made = Json.object().put("id", app.id()).put("slug", app.slug());
    made.put("page", app.page()).put("installation", app.installation());
    made.put("folder", folder.toString());
    made.put("appKeyFile", key());
    app.hookSecret().ifPresent(_ -> made.put("hookSecretFile", hookSecret()));
    return new String(Json.write(made), StandardCharsets.UTF_8);
  }

  private String text() {
    return """
    The App %s is made. Its key is in %s, for nobody but you to read.
    1. Install it on your repositories: %s
    2. Connect each of them:
       mainstay repo connect %s/%s/NAME --app-id %d --app-key-file %s%s
    """
        .formatted(
            app.slug(),
            folder,
            app.installation(),
            proposal.site().location(),
            proposal.organization().orElse("OWNER"),
            app.id(),
            quoted(key()),
            app.hookSecret().map(_ -> " --hook-secret-file " + quoted(hookSecret())).orElse(""));
  }

  private String key() {
    return folder.resolve(AppFolder.KEY).toString();
  }

  private String hookSecret() {
    return folder.resolve(AppFolder.HOOK_SECRET).toString();
  }

  /** A path as a shell reads it. */
  private static String quoted(String path) {
    return PLAIN.matcher(path).matches() ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
