package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.Evidence;
import dev.mainstay.core.health.TestStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * A rule's finding at one moment.
 *
 * @param evidence of what is active, or of what resolved it
 * @param nextReviewAt when it would see something else, were no run to come; always after now
 */
record Finding(
    boolean active, TestStatus status, Evidence evidence, Optional<Instant> nextReviewAt) {}
