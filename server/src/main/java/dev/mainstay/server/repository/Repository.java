package dev.mainstay.server.repository;

import dev.mainstay.core.code.RepoName;

/** A repository of an organization, in its first spelling, which the ids of tests are made of. */
public record Repository(long id, long organizationId, RepoName name, int retentionDays) {}
