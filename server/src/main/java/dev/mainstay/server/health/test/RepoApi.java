package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Caller;

/** The repository a request is about, looked up and refused alike by all APIs of test health. */
public final class RepoApi {
  private RepoApi() {}

  /** 404 where the slug is not the key's organization, or the repository not one of it. */
  public static RepoView view(Database database, Caller caller, String slug, RepoName repo) {
    if (!caller.isOf(slug)) {
      throw ApiError.notFound("organization_not_found", "There is no such organization.");
    }
    return view(database, caller, repo);
  }

  public static RepoView view(Database database, Caller caller, RepoName repo) {
    return database
        .query(handle -> RepoViewStore.find(handle, caller.organizationId(), repo))
        .orElseThrow(RepoApi::noSuchRepository);
  }

  public static ApiError noSuchRepository() {
    return ApiError.notFound(
        "repository_not_found",
        "The organization has no such repository; it comes into being with its first upload.");
  }

  public static ApiError noSuchTest() {
    return ApiError.notFound("test_not_found", "The repository has no test of this id.");
  }
}
