package dev.mainstay.server.web.graph;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How a state looks: a colour by its class, a shape of its own, and words. */
enum Look {
  PENDING("Waiting", "waiting", "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0M0 -3V0.5L2.4 2"),
  TESTING(
      "Testing",
      "testing",
      "M0 -5.5a5.5 5.5 0 1 1 -5.5 5.5M-0.6 0a0.6 0.6 0 1 0 1.2 0a0.6 0.6 0 1 0 -1.2 0"),
  TESTS_PASSED("Passed", "passed", "M-5.5 0.2L-1.8 4L5.5 -4"),
  PENDING_FAILURE("Failed, waits", "failing", "M0 -5.5L6 5H-6ZM0 -1.8V1.4M0 3.1V3.4"),
  NOT_READY("Not ready", "not ready", "M-2.2 -4V4M2.2 -4V4"),
  MERGED("Merged", "merged", "M0 -6L6 0L0 6L-6 0Z"),
  FAILED("Failed", "failed", "M-4.2 -4.2L4.2 4.2M4.2 -4.2L-4.2 4.2"),
  CANCELLED("Cancelled", "left", "M-5 0H5"),
  OTHER("Unknown", "unknown", "M-4 -4H4V4H-4Z");

  private static final Map<String, Look> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Look::name, look -> look));

  final String words;
  final String brief;
  final String shape;
  private final String style;

  Look(String words, String brief, String shape) {
    this.words = words;
    this.brief = brief;
    this.shape = shape;
    this.style = "is-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Look of(String state) {
    return BY_NAME.getOrDefault(state, OTHER);
  }

  /** The class of the stylesheet: {@code is-tests-passed}. */
  String style() {
    return style;
  }
}
