package dev.mainstay.core.queue;

/** Which of the two kinds of slots a test run uses. */
public enum RunKind {
  MAIN,
  BISECTION
}
