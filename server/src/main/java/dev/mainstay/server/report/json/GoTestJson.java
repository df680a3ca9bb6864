package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.ReportedRun.Failure;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.TextCapture;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON lines of {@code go test -json}. Tests that run when their package fails are named by
 * {@link GoPackages}. A package that fails although none of its tests did (it does not compile) is
 * kept as a failed test that has the package's name.
 */
final class GoTestJson implements JsonFormat {
  private static final int MOST_OPEN_TESTS = 5_000;
  private static final int OUTPUT_KEPT = 4_000;
  private static final int MOST_PACKAGES = 100_000;

  private final ReportTimes times = new ReportTimes();
  private final Map<String, TextCapture> outputs = new LinkedHashMap<>();
  private final Set<String> failedPackages = new HashSet<>();
  private final GoPackages packages = new GoPackages();

  /** A line. */
  private static final class Event {
    String action = "";
    String pkg = "";
    String test = "";
    String output = "";
    String time = "";
    String failedBuild = "";
    String importPath = "";
    double elapsed = -1;

    String key() {
      return pkg + "\n" + test;
    }
  }

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    var event = new Event();
    json.object(
        field -> {
          switch (field) {
            case "Action" -> event.action = json.text();
            case "Package" -> event.pkg = json.text();
            case "Test" -> event.test = json.text();
            case "Output" -> event.output = json.text();
            case "Time" -> event.time = json.text();
            case "Elapsed" -> event.elapsed = json.number();
            case "FailedBuild" -> event.failedBuild = json.text();
            case "ImportPath" -> event.importPath = json.text();
            default -> {}
          }
        });
    event(event, teller);
  }

  @Override
  public void ends(int line, RunTeller teller) {
    packages
        .anyOpen()
        .ifPresent(
            name ->
                teller.unreadable(
                    line,
                    "cut off: package %s does not end"
                        .formatted(BoundedText.name(name, Limits.FILE_LABEL_LENGTH))));
  }

  private void event(Event event, RunTeller teller) {
    boolean ofTest = !event.test.isEmpty();
    switch (event.action) {
      case "start", "run" -> packages.begins(event.pkg, event.test);
      case "output" -> {
        packages.says(event.pkg, event.test, event.output);
        keep(event.key(), event.output);
      }
      case "build-output" -> keep("build\n" + event.importPath, event.output);
      case "pass", "skip" -> {
        if (ofTest) {
          packages.ends(event.pkg, event.test);
          Outcome outcome = event.action.equals("pass") ? Outcome.PASSED : Outcome.SKIPPED;
          tell(event, event.test, outcome, outputs.remove(event.key()), teller);
        } else {
          packages.ends(event.pkg);
          outputs.remove(event.key());
        }
      }
      case "fail" -> {
        if (ofTest) {
          packages.ends(event.pkg, event.test);
          failed(event.pkg);
          tell(event, event.test, Outcome.FAILED, outputs.remove(event.key()), teller);
        } else {
          packageFailed(event, teller);
        }
      }
      default -> {}
    }
  }

  private void keep(String key, String output) {
    if (outputs.containsKey(key) || outputs.size() < MOST_OPEN_TESTS) {
      outputs.computeIfAbsent(key, k -> new TextCapture(OUTPUT_KEPT)).append(output);
    }
  }

  private void failed(String pkg) {
    if (failedPackages.size() < MOST_PACKAGES) {
      failedPackages.add(pkg);
    }
  }

  /** The tests that were running did not come to an end; some of them are to blame. */
  private void packageFailed(Event event, RunTeller teller) {
    GoPackages.Unfinished unfinished = packages.ends(event.pkg);
    event.elapsed = unfinished.tests().isEmpty() ? event.elapsed : -1;
    unfinished
        .tests()
        .forEach(
            (test, guilty) -> {
              TextCapture output = outputs.remove(event.pkg + "\n" + test);
              String text = output == null ? "" : output.take();
              if (guilty) {
                failed(event.pkg);
              }
              var told = new TextCapture(Limits.STACK_LENGTH);
              told.append(unfinished.crash().isEmpty() ? text : unfinished.crash());
              tell(event, test, guilty ? Outcome.ERRORED : Outcome.SKIPPED, told, teller);
            });
    TextCapture output = outputs.remove(event.key());
    if (!failedPackages.contains(event.pkg)) {
      TextCapture build = outputs.remove("build\n" + event.failedBuild);
      tell(event, event.pkg, Outcome.ERRORED, build == null ? output : build, teller);
    }
  }

  private void tell(
      Event event, String name, Outcome outcome, @Nullable TextCapture output, RunTeller teller) {
    long endedAt = times.millis(event.time);
    int duration = ReportTimes.duration(event.elapsed, 1000);
    boolean known = endedAt != ReportedRun.UNKNOWN_TIME && duration > 0;
    String text = outcome.isFailure() && output != null ? output.take() : "";
    teller.tell(
        ReportedCase.once(
            "",
            event.pkg,
            event.pkg,
            name,
            new Ending(
                outcome,
                known ? endedAt - duration : endedAt,
                duration,
                outcome.isFailure() ? Optional.of(failure(text)) : Optional.empty())));
  }

  private static Failure failure(String output) {
    String message =
        output
            .lines()
            .map(String::strip)
            .filter(l -> !l.isEmpty() && !l.startsWith("=== ") && !l.startsWith("--- "))
            .filter(l -> !l.startsWith("# "))
            .findFirst()
            .orElse("");
    return new Failure("", BoundedText.head(message, Limits.MESSAGE_LENGTH), output);
  }
}
