package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import java.time.Instant;

/**
 * A pull request was let into the queue: with which head commit and targets, and when. What stands
 * on whom follows from these, whatever is told about it later, until it has gone out.
 */
public record Admission(CommitSha head, ImpactedTargets targets, Instant since) {}
