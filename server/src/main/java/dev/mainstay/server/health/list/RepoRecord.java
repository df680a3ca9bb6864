package dev.mainstay.server.health.list;

import dev.mainstay.core.code.RepoName;

/** The name of a repository in the words of the API. */
record RepoRecord(String host, String owner, String name) {
  static RepoRecord of(RepoName repo) {
    return new RepoRecord(repo.host(), repo.owner(), repo.name());
  }
}
