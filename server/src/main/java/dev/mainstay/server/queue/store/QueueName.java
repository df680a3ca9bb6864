package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.RepoName;

/** A queue, as users name it: a branch of a repository of an organization. */
public record QueueName(long organizationId, RepoName repo, String branch) {}
