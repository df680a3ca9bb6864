package dev.mainstay.core.health;

import java.time.Instant;

/**
 * The state of one monitor for one test. States of monitors that never were active are not kept.
 *
 * @param status what it gives while active
 * @param since when it became active, or resolved
 */
public record MonitorState(
    MonitorId monitor, boolean active, TestStatus status, Instant since, Evidence evidence) {}
