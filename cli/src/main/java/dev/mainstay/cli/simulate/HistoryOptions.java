package dev.mainstay.cli.simulate;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Period;
import dev.mainstay.cli.shell.Shell;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The queue whose past is the world, the server that knows it, and what is to be tried. */
final class HistoryOptions extends ServerOptions {
  @Option(
      names = "--history",
      description =
          "Play the past of a queue, as the server knows it, through other settings and policies,"
              + " beside what really happened.")
  private boolean history;

  @Option(
      names = "--branch",
      paramLabel = "BRANCH",
      defaultValue = "main",
      description = "With --history: the branch the queue merges into (main).")
  private String branch;

  @Option(
      names = "--since",
      paramLabel = "PERIOD",
      description = "With --history: how far back, 12h to 90d (30d).")
  private @Nullable String since;

  @Option(
      names = "--set",
      paramLabel = "[LABEL:]NAME=VALUE,...",
      description = {
        "With --history: settings to try in place of the present ones, by their names in the API;"
            + " may be repeated.",
        "Without any, those that are often asked for."
      })
  private List<String> sets = new ArrayList<>();

  public HistoryOptions(Shell shell) {
    super(shell);
  }

  boolean wanted() {
    return history;
  }

  ObjectNode request(Collection<String> policies, Faults faults) {
    ObjectNode request = aboutRepo().put("targetBranch", branch).put("usual", sets.isEmpty());
    if (since != null) {
      request.put("from", Instant.now().minus(Period.parse(since)).toString());
    }
    policies.forEach(request.putArray("policies")::add);
    var variants = request.putArray("variants");
    for (String set : sets) {
      int colon = set.indexOf(':');
      ObjectNode variant = variants.addObject();
      if (colon > 0) {
        variant.put("label", set.substring(0, colon).strip());
      }
      add(set.substring(colon + 1), variant.putObject("settings"), faults);
    }
    return request;
  }

  private static void add(String pairs, ObjectNode settings, Faults faults) {
    for (String pair : pairs.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        faults.add("--set", "'%s' is not NAME=VALUE".formatted(pair.strip()));
      } else {
        put(settings, pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
      }
    }
  }

  /** The server knows which settings there are, and what each may be. */
  private static void put(ObjectNode settings, String name, String value) {
    if (value.matches("-?[0-9]{1,9}")) {
      settings.put(name, Integer.parseInt(value));
    } else {
      switch (value.toLowerCase(Locale.ROOT)) {
        case "true" -> settings.put(name, true);
        case "false" -> settings.put(name, false);
        default -> settings.put(name, value);
      }
    }
  }
}
