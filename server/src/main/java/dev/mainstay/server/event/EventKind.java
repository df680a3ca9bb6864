package dev.mainstay.server.event;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The kinds of events, by the names that endpoints ask for them and are told them by. */
enum EventKind {
  SUBMITTED("pull_request.submitted"),
  NOT_READY("pull_request.not_ready"),
  QUEUED("pull_request.queued"),
  TESTING("pull_request.testing"),
  TESTS_PASSED("pull_request.tests_passed"),
  PENDING_FAILURE("pull_request.pending_failure"),
  MERGED("pull_request.merged"),
  FAILED("pull_request.failed"),
  CANCELLED("pull_request.cancelled"),
  QUEUE_CREATED("queue.created"),
  QUEUE_UPDATED("queue.updated"),
  QUEUE_PAUSED("queue.paused"),
  QUEUE_RESUMED("queue.resumed"),
  QUEUE_DRAINING("queue.draining"),
  QUEUE_DELETED("queue.deleted"),
  QUEUE_STALLED("queue.stalled"),
  STATUS_CHANGED("test_case.status_changed"),
  QUARANTINE_SETTING_CHANGED("test_case.quarantine_setting_changed"),
  QUARANTINE_ENDED("test_case.quarantine_ended"),
  MONITOR_STATUS_CHANGED("test_case.monitor_status_changed"),
  TICKET_LINKED("test_case.ticket_linked"),
  FAILED_TESTS("upload.failed_tests"),
  /** The same as a change of status, in a newer body of the format trunk. */
  STATUS_CHANGED_V2("v2.test_case.status_changed"),
  /** We switched an endpoint off: the others of its organization are told. */
  SWITCHED_OFF("webhook.switched_off"),
  /** Sent when somebody tries an endpoint; nobody can ask for it. */
  TEST("webhook.test");

  private static final List<EventKind> QUIET =
      List.of(MERGED, FAILED, QUEUE_PAUSED, QUEUE_STALLED, STATUS_CHANGED, SWITCHED_OFF);

  private static final List<EventKind> ONLY_IF_ASKED = List.of(FAILED_TESTS, STATUS_CHANGED_V2);

  private final String label;

  EventKind(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** The kinds that endpoints may ask for. */
  static List<EventKind> all() {
    return Arrays.stream(values()).filter(kind -> kind != TEST).toList();
  }

  static Optional<EventKind> of(String label) {
    return all().stream().filter(kind -> kind.label.equals(label)).findFirst();
  }

  /** The kinds that an endpoint is told which asks for none: people are told little. */
  static List<EventKind> usual(Format format) {
    return format == Format.SLACK
        ? QUIET
        : all().stream().filter(kind -> !ONLY_IF_ASKED.contains(kind)).toList();
  }

  /** The kinds whose names begin so, among those that every format has. */
  static List<EventKind> family(String start) {
    return all().stream()
        .filter(kind -> kind != STATUS_CHANGED_V2 && kind.label.startsWith(start))
        .toList();
  }

  boolean isIn(Format format) {
    return this != STATUS_CHANGED_V2 || format == Format.TRUNK;
  }
}
