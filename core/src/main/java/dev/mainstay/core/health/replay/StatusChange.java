package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.TestStatus;

/** A set of monitors changed its mind about a test. */
record StatusChange(int test, double hour, int uploads, int failures, TestStatus status) {}
