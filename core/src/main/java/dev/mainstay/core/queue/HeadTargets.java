package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;

/** The impacted targets of one head commit; a push asks anew. */
public record HeadTargets(CommitSha head, ImpactedTargets targets) {}
