package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import java.time.Instant;

/** A pull request was let into the queue: with which head commit, and when. */
public record Admission(CommitSha head, Instant since) {}
