package dev.mainstay.server.report.json;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.Room;
import dev.mainstay.server.report.TextCapture;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The packages of {@code go test} that have begun and not ended, with their running tests. When a
 * package fails while tests run, those are to blame that the time-out names, else that said the
 * panic, with the tests around them, else whose functions are on the stack; else all that ran.
 */
final class GoPackages {
  private static final int MOST_PACKAGES = 100_000;
  private static final int MOST_TESTS = 100_000;
  private static final Pattern HANGING =
      Pattern.compile("^\t\t(\\S{1,2000}) \\([^)]{1,40}\\)\\s*$");

  private final Map<String, Running> open = new LinkedHashMap<>();
  private final Room room = new Room();

  /** That of the line before: lines of a package mostly come together. */
  private @Nullable String recentName;

  private @Nullable Running recent;
  private int tests;

  private static final class Running {
    final Set<String> tests = new LinkedHashSet<>();
    final Set<String> hanging = new LinkedHashSet<>();
    final Set<String> panicked = new LinkedHashSet<>();
    final TextCapture crash = new TextCapture(Limits.STACK_LENGTH);
    long held;
    boolean listing;
    boolean crashing;
  }

  /**
   * Tests that did not end, each with whether it is to blame.
   *
   * @param crash what the program said at its end, from the panic on
   */
  record Unfinished(Map<String, Boolean> tests, String crash) {}

  void begins(String pkg, String test) {
    @Nullable Running running = find(pkg);
    if (running == null) {
      if (open.size() >= MOST_PACKAGES || !room.take(pkg.length())) {
        return;
      }
      running = new Running();
      open.put(pkg, running);
      recent = running;
    }
    if (!test.isEmpty() && tests < MOST_TESTS && room.take(test.length())) {
      if (running.tests.add(test)) {
        tests++;
      } else {
        room.give(test.length());
      }
    }
  }

  private @Nullable Running find(String pkg) {
    if (!pkg.equals(recentName)) {
      recentName = pkg;
      recent = open.get(pkg);
    }
    return recent;
  }

  void says(String pkg, String test, HeldText output) {
    @Nullable Running running = find(pkg);
    if (running == null) {
      return;
    }
    if (output.startsWith("panic: ") || output.startsWith("fatal error: ")) {
      name(running, running.panicked, test);
      running.crashing = true;
    } else if (output.startsWith("\trunning tests:")) {
      running.listing = true;
    } else if (running.listing) {
      Matcher hanging = HANGING.matcher(output.toString());
      running.listing = hanging.find();
      if (running.listing) {
        name(running, running.hanging, hanging.group(1));
      }
    }
    if (running.crashing && !output.startsWith("FAIL\t") && hold(running, output.length())) {
      output.appendTo(running.crash);
    }
  }

  private void name(Running running, Set<String> tests, String test) {
    if (!tests.contains(test) && hold(running, test.length())) {
      tests.add(test);
    }
  }

  private boolean hold(Running running, int length) {
    boolean fits = room.take(length);
    running.held += fits ? length : 0;
    return fits;
  }

  void ends(String pkg, String test) {
    @Nullable Running running = find(pkg);
    if (running != null && running.tests.remove(test)) {
      tests--;
      room.give(test.length());
    }
  }

  Unfinished ends(String pkg) {
    @Nullable Running running = open.remove(pkg);
    recentName = null;
    recent = null;
    if (running == null) {
      return new Unfinished(Map.of(), "");
    }
    tests -= running.tests.size();
    room.give(running.held + pkg.length());
    running.tests.forEach(test -> room.give(test.length()));
    String crash = running.crash.takeCleaned();
    Set<String> named = running.hanging.isEmpty() ? running.panicked : running.hanging;
    Set<String> guilty = only(running.tests, test -> isAround(test, named));
    if (guilty.isEmpty()) {
      // What a goroutine says is taken for the words of whichever test spoke last.
      guilty = only(running.tests, test -> isOnStack(test, crash));
    }
    var unfinished = new LinkedHashMap<String, Boolean>();
    for (String test : running.tests) {
      unfinished.put(test, guilty.isEmpty() || guilty.contains(test));
    }
    return new Unfinished(unfinished, crash);
  }

  private static Set<String> only(Set<String> tests, Predicate<String> which) {
    return tests.stream().filter(which).collect(Collectors.toSet());
  }

  /** True where the function of a test stands in a stack: {@code shop.TestCart(} or more of it. */
  private static boolean isOnStack(String test, String stack) {
    int slash = test.indexOf('/');
    String function = "." + (slash < 0 ? test : test.substring(0, slash));
    int at = stack.indexOf(function);
    while (at >= 0) {
      int end = at + function.length();
      if (end == stack.length() || !Character.isLetterOrDigit(stack.charAt(end))) {
        return true;
      }
      at = stack.indexOf(function, end);
    }
    return false;
  }

  private static boolean isAround(String test, Set<String> named) {
    return named.contains(test) || named.stream().anyMatch(one -> one.startsWith(test + "/"));
  }

  Optional<String> anyOpen() {
    return open.keySet().stream().findFirst();
  }
}
