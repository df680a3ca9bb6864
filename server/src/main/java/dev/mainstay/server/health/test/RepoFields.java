package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Fields;
import java.util.List;

/** The fields that say which repository a request is about, for all {@code *Api} classes. */
public final class RepoFields {
  private static final RepoName PLACEHOLDER = new RepoName("host", "owner", "name");

  private RepoFields() {}

  public static RepoName read(Fields in) {
    var repo = in.object("repo");
    String host = repo.text("host", RepoName.MAX_LENGTH);
    String owner = repo.text("owner", RepoName.MAX_LENGTH);
    String name = repo.text("name", RepoName.MAX_LENGTH);
    var read = RepoName.of(host, owner, name);
    if (read.isEmpty() && !host.isEmpty() && !owner.isEmpty() && !name.isEmpty()) {
      in.fault("repo", "must name a repository by host, owner and name");
    }
    return read.orElse(PLACEHOLDER);
  }

  public static String slug(Fields in) {
    return in.text("org_url_slug", RepoName.MAX_LENGTH);
  }

  /** 404 where the slug is not the key's organization, or the repository not one of it. */
  public static RepoView view(Database database, Caller caller, String slug, RepoName repo) {
    if (!slug.equals(caller.organization())) {
      throw ApiError.notFound("organization_not_found", "There is no such organization.");
    }
    return view(database, caller, repo);
  }

  public static RepoView view(Database database, Caller caller, RepoName repo) {
    return database
        .query(handle -> RepoViewStore.find(handle, caller.organizationId(), repo))
        .orElseThrow(RepoFields::noSuchRepository);
  }

  static ApiError noSuchRepository() {
    return ApiError.notFound(
        "repository_not_found",
        "The organization has no such repository; it comes into being with its first upload.");
  }

  public static ApiError noSuchTest() {
    return ApiError.notFound("test_not_found", "The repository has no test of this id.");
  }

  public static ApiError tokenIsOver() {
    return ApiError.invalid(
        List.of(
            new ApiError.Fault(
                "page_query.page_token", "is of a list that is not kept any more; begin again")));
  }
}
