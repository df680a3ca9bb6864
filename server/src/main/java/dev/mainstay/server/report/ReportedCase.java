package dev.mainstay.server.report;

import java.util.ArrayList;
import java.util.List;

/** A test case of a report: what it is called, and how each of its attempts ended. */
public record ReportedCase(
    String file, String className, String parent, String name, List<Ending> attempts) {

  /** Lists of attempts are no longer than this, whatever a report claims. */
  private static final int MOST_ATTEMPTS = 100;

  public ReportedCase {
    attempts = List.copyOf(attempts);
  }

  public static ReportedCase once(
      String file, String className, String parent, String name, Ending ending) {
    return new ReportedCase(file, className, parent, name, List.of(ending));
  }

  /** The characters of its names. */
  int nameLength() {
    return file.length() + className.length() + parent.length() + name.length();
  }

  /** The characters of what is told of its failures. */
  int textLength() {
    int length = 0;
    for (Ending attempt : attempts) {
      length += attempt.textLength();
    }
    return length;
  }

  public ReportedCase in(String otherFile, String otherParent) {
    return new ReportedCase(otherFile, className, otherParent, name, attempts);
  }

  /** The last attempt decides; before it came so many failures of which nothing is told. */
  public static List<Ending> after(double failures, Ending last) {
    if (failures < 1) {
      return List.of(last);
    }
    int before = (int) Math.clamp(failures, 0, MOST_ATTEMPTS - 1.0);
    var attempts = new ArrayList<Ending>(before + 1);
    for (int i = 0; i < before; i++) {
      attempts.add(Ending.UNTOLD_FAILURE);
    }
    attempts.add(last);
    return attempts;
  }

  ReportedRun run(int index) {
    Ending ending = attempts.get(index);
    return new ReportedRun(
        file,
        className,
        parent,
        name,
        ending.outcome(),
        index + 1,
        index == attempts.size() - 1,
        ending.startedAtMillis(),
        ending.durationMillis(),
        ending.failure());
  }
}
