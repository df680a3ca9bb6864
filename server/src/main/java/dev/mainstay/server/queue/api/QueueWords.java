package dev.mainstay.server.queue.api;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.LandedHow;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueSettings.MergeMethod;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.core.queue.QueueSettings.OptimizationMode;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.Stall;
import dev.mainstay.core.simulation.past.Trial;
import dev.mainstay.server.queue.HealthWindow;
import dev.mainstay.server.queue.store.TestRunStore.Status;
import dev.mainstay.server.queue.store.TestRunStore.StatusSource;

/** The words of the API for merge queues, in requests and answers, whatever the code calls them. */
final class QueueWords {
  private QueueWords() {}

  static String of(PullRequestState state) {
    return switch (state) {
      case NOT_READY -> "NOT_READY";
      case PENDING -> "PENDING";
      case TESTING -> "TESTING";
      case TESTS_PASSED -> "TESTS_PASSED";
      case MERGED -> "MERGED";
      case FAILED -> "FAILED";
      case CANCELLED -> "CANCELLED";
      case PENDING_FAILURE -> "PENDING_FAILURE";
    };
  }

  static String of(QueueLifecycle state) {
    return switch (state) {
      case RUNNING -> "RUNNING";
      case PAUSED -> "PAUSED";
      case DRAINING -> "DRAINING";
      case SWITCHING_MODES -> "SWITCHING_MODES";
    };
  }

  static String of(Mode mode) {
    return switch (mode) {
      case SINGLE -> "single";
      case PARALLEL -> "parallel";
    };
  }

  static String of(MergeMethod method) {
    return switch (method) {
      case SQUASH -> "SQUASH";
      case MERGE_COMMIT -> "MERGE_COMMIT";
      case REBASE -> "REBASE";
    };
  }

  static String of(DirectMergeMode mode) {
    return switch (mode) {
      case OFF -> "OFF";
      case ALWAYS -> "ALWAYS";
    };
  }

  static String of(OptimizationMode mode) {
    return switch (mode) {
      case OFF -> "OFF";
      case BISECTION_SKIP_REDUNDANT_TESTS -> "BISECTION_SKIP_REDUNDANT_TESTS";
    };
  }

  static String of(Sizing sizing) {
    return switch (sizing) {
      case FIXED -> "FIXED";
      case AUTO -> "AUTO";
    };
  }

  static String of(Mergeability mergeability) {
    return switch (mergeability) {
      case UNSPECIFIED -> "UNSPECIFIED";
      case IN_PROGRESS -> "IN_PROGRESS";
      case MERGEABLE -> "MERGEABLE";
      case NOT_MERGEABLE -> "NOT_MERGEABLE";
    };
  }

  static String of(RunKind kind) {
    return switch (kind) {
      case MAIN -> "MAIN";
      case BISECTION -> "BISECTION";
      case TARGET -> "TARGET";
    };
  }

  static String of(Status status) {
    return switch (status) {
      case IN_PROGRESS -> "IN_PROGRESS";
      case SUCCEEDED -> "SUCCEEDED";
      case FAILED -> "FAILED";
      case CANCELLED -> "CANCELLED";
    };
  }

  static String of(HealthWindow.Step step) {
    return switch (step) {
      case HOUR -> "HOUR";
      case DAY -> "DAY";
    };
  }

  static String of(Trial.Kind kind) {
    return switch (kind) {
      case PRESENT -> "PRESENT";
      case ASKED -> "ASKED";
      case USUAL -> "USUAL";
      case POLICY -> "POLICY";
    };
  }

  static String of(Stall.Cause cause) {
    return switch (cause) {
      case PAUSED -> "paused";
      case FORGE_UNREACHABLE -> "forge_unreachable";
      case CHECK_MISSING -> "check_missing";
      case NO_SLOTS -> "no_slots";
      case TESTS_RUNNING -> "tests_running";
    };
  }

  static String of(StatusSource source) {
    return switch (source) {
      case QUEUE -> "QUEUE";
      case BRANCH_PROTECTION -> "BRANCH_PROTECTION";
      case TEST_COMMAND -> "TEST_COMMAND";
    };
  }

  static String of(LandedHow how) {
    return switch (how) {
      case TESTED_COMMIT -> "TESTED_COMMIT";
      case REBUILT -> "REBUILT";
      case BY_FORGE -> "BY_FORGE";
      case ALREADY_THERE -> "ALREADY_THERE";
    };
  }

  static String of(CheckState state) {
    return switch (state) {
      case PENDING -> "PENDING";
      case SUCCESS -> "SUCCESS";
      case FAILURE -> "FAILURE";
      case TIMED_OUT -> "TIMED_OUT";
      case CANCELLED -> "CANCELLED";
    };
  }
}
