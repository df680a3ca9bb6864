package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;

/** A pull request at one of its head commits: what is tested, and what lands. */
public record Change(PullRequestRef pr, CommitSha head) {}
