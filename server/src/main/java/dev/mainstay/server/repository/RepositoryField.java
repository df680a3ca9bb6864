package dev.mainstay.server.repository;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.http.Fields;
import java.util.Optional;

/** The repository that a request names. The value is a placeholder until it was checked. */
public final class RepositoryField {
  private static final RepoName NO_REPO = new RepoName("none", "none", "none");

  private RepositoryField() {}

  public static RepoName read(Fields in) {
    Fields repo = in.object("repo");
    String host = repo.text("host", RepoName.MAX_HOST_LENGTH);
    String owner = repo.text("owner", RepoName.MAX_OWNER_LENGTH);
    String name = repo.text("name", RepoName.MAX_NAME_LENGTH);
    Optional<RepoName> whole = RepoName.of(host, owner, name);
    if (whole.isEmpty()) {
      refuse(repo, "host", host, RepoName.of(host, "o", "n"), "must be the name of a host");
      refuse(
          repo, "owner", owner, RepoName.of("h", owner, "n"), "must be one or more names with /");
      refuse(repo, "name", name, RepoName.of("h", "o", name), "must be a name without /, # and ?");
    }
    return whole.orElse(NO_REPO);
  }

  /** Says what is wrong with a text that is there, but is no part of a repository's name. */
  private static void refuse(
      Fields repo, String field, String text, Optional<RepoName> readable, String expectation) {
    if (!text.isEmpty() && readable.isEmpty()) {
      repo.fault(field, expectation);
    }
  }

  /** The repository that the parameters {@code repo} and {@code repoHost} of a query name. */
  public static RepoName parameters(Fields in) {
    String path = in.text("repo", RepoName.MAX_LENGTH);
    String host = in.text("repoHost", RepoName.MAX_HOST_LENGTH);
    int slash = Math.max(0, path.lastIndexOf('/'));
    String owner = path.substring(0, slash);
    String name = path.substring(Math.min(path.length(), slash + 1));
    refuse(in, "repo", path, RepoName.of("h", owner, name), "must be owner/name");
    refuse(in, "repoHost", host, RepoName.of(host, "o", "n"), "must be the name of a host");
    return RepoName.of(host, owner, name).orElse(NO_REPO);
  }
}
