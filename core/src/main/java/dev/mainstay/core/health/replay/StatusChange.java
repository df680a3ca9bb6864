package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.TestStatus;
import java.util.List;

/**
 * A set of monitors changed its mind about a test.
 *
 * @param commits those that the evidence names
 */
record StatusChange(
    int test, double hour, int uploads, int failures, TestStatus status, List<String> commits) {}
