package dev.mainstay.server.repository;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.Database;
import java.util.Locale;
import java.util.Optional;

/** The repositories whose pages everybody may look at, without signing in. */
public final class PublicPages {
  private final Database database;

  public PublicPages(Database database) {
    this.database = database;
  }

  /** A repository that is shown to everybody, and the organization that it is of. */
  public record Shown(long organizationId, String organization, Repository repository) {}

  /**
   * Empty where there is no such repository or organization, and where its pages are not public:
   * nobody is told which of these it is.
   */
  public Optional<Shown> of(String organization, RepoName repo) {
    return database.query(
        handle ->
            RepositoryStore.findPublic(handle, organization.toLowerCase(Locale.ROOT), repo)
                .map(
                    repository ->
                        new Shown(
                            repository.organizationId(),
                            RepositoryStore.organization(handle, repository),
                            repository)));
  }
}
