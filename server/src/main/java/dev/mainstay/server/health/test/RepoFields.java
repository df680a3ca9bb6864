package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.repository.RepositoryField;
import java.util.Optional;

/** The fields that say which repository a request is about, for all {@code *Api} classes. */
public final class RepoFields {
  private static final RepoName PLACEHOLDER = new RepoName("host", "owner", "name");

  private RepoFields() {}

  public static RepoName read(Fields in) {
    var repo = in.object("repo");
    String host = repo.text("host", RepoName.MAX_HOST_LENGTH);
    String owner = repo.text("owner", RepoName.MAX_OWNER_LENGTH);
    String name = repo.text("name", RepoName.MAX_NAME_LENGTH);
    var read = RepoName.of(host, owner, name);
    if (read.isEmpty() && !host.isEmpty() && !owner.isEmpty() && !name.isEmpty()) {
      in.fault("repo", "must name a repository by host, owner and name");
    }
    return read.orElse(PLACEHOLDER);
  }

  /** The repository that a query names, where it names one. */
  public static Optional<RepoName> parameters(Fields in) {
    return in.has("repo") || in.has("repoHost")
        ? Optional.of(RepositoryField.parameters(in))
        : Optional.empty();
  }

  public static String slug(Fields in) {
    return in.text("org_url_slug", Caller.MAX_SLUG_LENGTH);
  }
}
