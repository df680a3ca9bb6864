package dev.mainstay.core.queue;

/** The two kinds of test runs; each has slots of its own. */
public enum RunKind {
  MAIN,
  BISECTION
}
