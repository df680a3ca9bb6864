package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.ReportedRun.Failure;
import dev.mainstay.server.report.Room;
import dev.mainstay.server.report.RunTeller;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
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
  private static final int MOST_FORGOTTEN = 16;
  private static final int OUTPUT_KEPT = 4_000;
  private static final int MOST_PACKAGES = 100_000;

  private final ReportTimes times = new ReportTimes();
  private final RecentText recentActions = RecentText.plain();
  private final RecentText recentPackages = RecentText.plain();
  private final RecentText recentTests = RecentText.plain();
  private final Event event = new Event();
  private final Map<Speaker, SaidText> outputs = new HashMap<>();
  private final Deque<SaidText> forgotten = new ArrayDeque<>();
  private final Set<String> failedPackages = new HashSet<>();

  /** Who spoke last, and where that is kept. */
  private @Nullable Speaker recent;

  private @Nullable SaidText recentText;
  private final GoPackages packages = new GoPackages();
  private final Room room = new Room();
  private final Room names = new Room();

  /** A line. */
  private static final class Event {
    String action = "";
    String pkg = "";
    String test = "";
    final HeldText output = new HeldText();
    final HeldText time = new HeldText();
    String failedBuild = "";
    String importPath = "";
    int duration = ReportedRun.UNKNOWN_DURATION;

    void clear() {
      action = "";
      pkg = "";
      test = "";
      output.clear();
      time.clear();
      failedBuild = "";
      importPath = "";
      duration = ReportedRun.UNKNOWN_DURATION;
    }

    Speaker speaker() {
      return new Speaker(pkg, test);
    }
  }

  /** A test, a package where the test is empty, or a build as such a package. */
  private record Speaker(String pkg, String test) {
    static Speaker build(String importPath) {
      return new Speaker("build\n" + importPath, "");
    }

    boolean is(String otherPkg, String otherTest) {
      return pkg.equals(otherPkg) && test.equals(otherTest);
    }

    int length() {
      return pkg.length() + test.length();
    }
  }

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    event.clear();
    for (String field = json.firstField(); field != null; field = json.nextField()) {
      switch (field) {
        case "Action" -> event.action = json.text(recentActions);
        case "Package" -> event.pkg = json.text(recentPackages);
        case "Test" -> event.test = json.text(recentTests);
        case "Output" -> json.hold(event.output);
        case "Time" -> json.hold(event.time);
        case "Elapsed" -> event.duration = json.seconds();
        case "FailedBuild" -> event.failedBuild = json.text();
        case "ImportPath" -> event.importPath = json.text();
        default -> {}
      }
    }
    happened(teller);
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

  private void happened(RunTeller teller) {
    boolean ofTest = !event.test.isEmpty();
    switch (event.action) {
      case "start", "run" -> packages.begins(event.pkg, event.test);
      case "output" -> {
        packages.says(event.pkg, event.test, event.output);
        keep();
      }
      case "build-output" -> {
        @Nullable SaidText text = keep(Speaker.build(event.importPath));
        if (text != null) {
          event.output.appendTo(text);
        }
      }
      case "pass", "skip" -> {
        if (ofTest) {
          packages.ends(event.pkg, event.test);
          Outcome outcome = event.action.equals("pass") ? Outcome.PASSED : Outcome.SKIPPED;
          forget(remove(event.speaker()));
          tell(event.test, outcome, "", teller);
        } else {
          packages.ends(event.pkg);
          forget(remove(event.speaker()));
        }
      }
      case "fail" -> {
        if (ofTest) {
          packages.ends(event.pkg, event.test);
          failed(event.pkg);
          tell(event.test, Outcome.FAILED, text(remove(event.speaker())), teller);
        } else {
          packageFailed(teller);
        }
      }
      default -> {}
    }
  }

  private void keep() {
    if (recent == null || !recent.is(event.pkg, event.test)) {
      Speaker speaker = event.speaker();
      recent = speaker;
      recentText = keep(speaker);
    }
    if (recentText != null) {
      event.output.appendTo(recentText);
    }
  }

  /** Where what somebody says is kept, if there is room. */
  private @Nullable SaidText keep(Speaker speaker) {
    @Nullable SaidText text = outputs.get(speaker);
    if (text == null && outputs.size() < MOST_OPEN_TESTS && room.take(speaker.length())) {
      text = forgotten.isEmpty() ? new SaidText(OUTPUT_KEPT, room) : forgotten.pop();
      outputs.put(speaker, text);
    }
    return text;
  }

  private @Nullable SaidText remove(Speaker speaker) {
    recent = null;
    recentText = null;
    @Nullable SaidText text = outputs.remove(speaker);
    if (text != null) {
      room.give(speaker.length());
    }
    return text;
  }

  private void forget(@Nullable SaidText text) {
    if (text != null) {
      text.clear();
      if (forgotten.size() < MOST_FORGOTTEN) {
        forgotten.push(text);
      }
    }
  }

  private void failed(String pkg) {
    if (failedPackages.size() < MOST_PACKAGES
        && !failedPackages.contains(pkg)
        && names.take(pkg.length())) {
      failedPackages.add(pkg);
    }
  }

  /** The tests that were running did not come to an end; some of them are to blame. */
  private void packageFailed(RunTeller teller) {
    GoPackages.Unfinished unfinished = packages.ends(event.pkg);
    if (!unfinished.tests().isEmpty()) {
      event.duration = ReportedRun.UNKNOWN_DURATION;
    }
    unfinished
        .tests()
        .forEach(
            (test, guilty) -> {
              String text = text(remove(new Speaker(event.pkg, test)));
              if (guilty) {
                failed(event.pkg);
              }
              String told = unfinished.crash().isEmpty() ? text : unfinished.crash();
              tell(test, guilty ? Outcome.ERRORED : Outcome.SKIPPED, told, teller);
            });
    @Nullable SaidText output = remove(event.speaker());
    if (!failedPackages.contains(event.pkg)) {
      @Nullable SaidText build = remove(Speaker.build(event.failedBuild));
      tell(event.pkg, Outcome.ERRORED, text(build == null ? output : build), teller);
    }
    forget(output);
  }

  private static String text(@Nullable SaidText said) {
    return said == null ? "" : said.take();
  }

  private void tell(String name, Outcome outcome, String said, RunTeller teller) {
    long endedAt = times.millis(event.time.toString());
    int duration = event.duration;
    boolean known = endedAt != ReportedRun.UNKNOWN_TIME && duration > 0;
    teller.tellOnce(
        "",
        event.pkg,
        event.pkg,
        name,
        new Ending(
            outcome,
            known ? endedAt - duration : endedAt,
            duration,
            outcome.isFailure() ? Optional.of(failure(said)) : Optional.empty()));
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
