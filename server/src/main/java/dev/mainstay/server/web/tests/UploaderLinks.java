package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.tests.Answers.Days;
import dev.mainstay.server.web.tests.Answers.Listed;
import dev.mainstay.server.web.tests.Answers.Repositories;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Links that existing uploaders print: each leads to the page of ours that it means. */
final class UploaderLinks {
  private static final int TAKE = 100;

  /** The most lists of repositories that are looked through for one link. */
  private static final int MOST_LISTS = 10;

  private UploaderLinks() {}

  /**
   * A test; its repository is told without a host, and as a mere slash where the uploader did not
   * know it.
   */
  static Reply test(Visit visit) {
    String test = PathIds.of(visit, "test");
    String told = visit.query("repo").orElse("/");
    Repo repo = find(visit, test, told).orElseThrow(Visit::nothingHere);
    return Reply.see(visit.address().test(repo, test));
  }

  static Reply settings(Visit visit) {
    if (!visit.caller().isOf(visit.request().path("of"))) {
      throw Visit.nothingHere();
    }
    return Reply.see(visit.address().settings());
  }

  private static Optional<Repo> find(Visit visit, String test, String told) {
    Optional<String> cursor = Optional.empty();
    for (int list = 0; list < MOST_LISTS; list++) {
      var asked = new LinkedHashMap<String, Object>();
      asked.put("take", TAKE);
      cursor.ifPresent(c -> asked.put("cursor", c));
      var page = visit.ask("/v1/repositories/list", asked, Repositories.class);
      Optional<Repo> found =
          page.repositories().stream()
              .map(Listed::repo)
              .filter(repo -> told.equals("/") || repo.text().equalsIgnoreCase(told))
              .filter(repo -> has(visit, repo, test))
              .findFirst();
      if (found.isPresent() || page.nextCursor().isEmpty()) {
        return found;
      }
      cursor = page.nextCursor();
    }
    return Optional.empty();
  }

  private static boolean has(Visit visit, Repo repo, String test) {
    try {
      visit.ask(
          "/v1/tests/days", Map.of("repo", repo.asked(), "test_id", test, "days", 1), Days.class);
      return true;
    } catch (ApiError e) {
      if (e.status() == 404) {
        return false;
      }
      throw e;
    }
  }
}
