package dev.mainstay.core.queue;

/**
 * The kinds of test runs. Those of the line and those that look for the guilty of a batch have
 * slots of their own; the target branch by itself is tested in a slot of the latter.
 */
public enum RunKind {
  MAIN,
  BISECTION,
  TARGET
}
