package dev.mainstay.cli.health;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "set",
    mixinStandardHelpOptions = true,
    description = {
      "Change the settings of a repository's tests, and show all of them; open its pages to everybody.",
      "The key is read from MAINSTAY_API_TOKEN."
    })
public final class RepoSet implements Runnable {
  private final Shell shell;
  @Mixin private ServerOptions options;

  @Option(
      names = "--quarantining",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether anything is quarantined at all.")
  private @Nullable Boolean quarantining;

  @Option(
      names = "--auto-quarantine",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether flaky and broken tests are.")
  private @Nullable Boolean automatic;

  @Option(
      names = "--quarantine-cap",
      paramLabel = "N|none",
      description =
          "How many tests may be quarantined automatically; it is switched off where more would be (none).")
  private @Nullable String cap;

  @Option(
      names = "--stable-branches",
      split = ",",
      paramLabel = "GLOB",
      description = "Branches whose failures are no author's experiment (main,master).")
  private @Nullable List<String> stableBranches;

  @Option(
      names = "--infra-protection",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether an upload in which too much failed is set aside.")
  private @Nullable Boolean infraProtection;

  @Option(
      names = "--infra-threshold",
      paramLabel = "SHARE",
      description = "What too much is, of at least 10 tests (0.8).")
  private @Nullable Double infraThreshold;

  @Option(
      names = "--public-pages",
      arity = "1",
      paramLabel = "true|false",
      description = "Whether everybody may look at the repository's pages (false).")
  private @Nullable Boolean publicPages;

  public RepoSet(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var request = options.aboutRepo();
    if (publicPages != null) {
      options.ask(
          "repositories/set",
          options.aboutRepo().put("public_pages", publicPages),
          this::printPages);
    }
    if (quarantining != null) {
      request.put("quarantining", quarantining);
    }
    if (automatic != null) {
      request.put("auto_quarantine", automatic);
    }
    if (cap != null) {
      putCap(request, cap);
    }
    if (stableBranches != null) {
      var list = request.putArray("stable_branches");
      stableBranches.forEach(list::add);
    }
    if (infraProtection != null) {
      request.put("infra_protection", infraProtection);
    }
    if (infraThreshold != null) {
      request.put("infra_threshold", infraThreshold);
    }
    if (request.size() == 1 && publicPages != null) {
      return;
    }
    // Only the repository itself: nothing to change.
    String path = request.size() == 1 ? "get-test-settings" : "set-test-settings";
    options.ask("repositories/" + path, request, this::print);
  }

  private static void putCap(ObjectNode request, String cap) {
    if (cap.equals("none")) {
      request.put("delete_quarantine_cap", true);
    } else if (cap.matches("\\d{1,7}")) {
      request.put("quarantine_cap", Integer.parseInt(cap));
    } else {
      throw new WrongCall("--quarantine-cap is a number of tests or none.");
    }
  }

  private void printPages(JsonNode answer) {
    shell
        .out()
        .println(
            answer.path("repository").path("public_pages").asBoolean()
                ? "Everybody may look at its pages."
                : "Only people of the organization may look at its pages.");
  }

  private void print(JsonNode answer) {
    var table = new Table("SETTING", "VALUE");
    answer
        .path("settings")
        .forEachEntry((name, value) -> table.row(name.replace('_', '-'), shown(value)));
    table.print(shell);
  }

  private static String shown(JsonNode value) {
    if (value.isNull()) {
      return "none";
    }
    if (value.isObject()) {
      return value.path("at").asString("") + ": " + value.path("reason").asString("");
    }
    return value.isArray()
        ? String.join(",", value.values().stream().map(v -> v.asString("")).toList())
        : value.asString("");
  }
}
