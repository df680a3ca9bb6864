package dev.mainstay.cli.health;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "quarantined",
    mixinStandardHelpOptions = true,
    description = "Show what quarantine hides, and for how long; the longest first.")
final class QuarantineReport implements Runnable {
  private static final int HOURS_OF_A_DAY = 24;

  private final Shell shell;
  @Mixin private ServerOptions options;

  @Option(names = "--take", paramLabel = "N", description = "At most so many, 1 to 500 (100).")
  private @Nullable Integer take;

  QuarantineReport(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var request = options.aboutRepo();
    if (take != null) {
      request.put("take", take);
    }
    options.ask("tests/quarantine-report", request, this::print);
  }

  private void print(JsonNode report) {
    var table =
        new Table("ID", "STATUS", "SETTING", "DAYS", "HID IN 7 DAYS", "ENDS", "OWNERS", "NAME");
    for (JsonNode test : report.path("tests")) {
      table.row(
          test.path("test_id").asString(""),
          test.path("status").asString(""),
          test.path("quarantine_setting").asString(""),
          "" + test.path("hours").asLong() / HOURS_OF_A_DAY,
          test.path("failures_hidden_last_7d").asString(""),
          ends(test),
          owners(test),
          test.path("name").asString(""));
    }
    table.print(shell);
    shell
        .out()
        .printf(
            "%d tests are quarantined, %d of them automatically (at most %s); %d failures were hidden in 7 days.%n",
            report.path("quarantined").asInt(),
            report.path("automatic").asInt(),
            report.path("quarantine_cap").isNumber()
                ? report.path("quarantine_cap").asString("")
                : "any number",
            report.path("failures_hidden_last_7d").asInt());
    if (report.path("auto_quarantine_stopped").isObject()) {
      shell.out().println(report.path("auto_quarantine_stopped").path("reason").asString(""));
    }
  }

  private static String ends(JsonNode test) {
    List<String> ends = new ArrayList<>();
    if (test.has("until")) {
      ends.add("at " + test.path("until").asString(""));
    }
    if (test.has("after_passes")) {
      ends.add("after %s passes".formatted(test.path("after_passes").asString("")));
    }
    if (test.path("until_ticket_closed").asBoolean()) {
      ends.add("with " + test.path("ticket").asString("its ticket"));
    }
    if (test.path("quarantine_setting").asString("").equals("AUTO_QUARANTINE")) {
      ends.add("when healthy");
    }
    return ends.isEmpty() ? "never" : String.join(", ", ends);
  }

  private static String owners(JsonNode test) {
    var owners = new StringJoiner(" ");
    test.path("codeowners").forEach(owner -> owners.add(owner.asString("")));
    return owners.toString();
  }
}
