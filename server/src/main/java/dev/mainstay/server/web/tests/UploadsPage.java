package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.tests.Answers.Upload;
import dev.mainstay.server.web.tests.Answers.Uploads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** The uploads of a repository: what came in, and what was left out. */
public final class UploadsPage {
  private static final int MOST = 50;

  private UploadsPage() {}

  public record Model(
      Repo repo, Address at, List<Upload> uploads, boolean failedOnly, Optional<String> before) {
    public String here() {
      return at.uploads(repo);
    }

    public Optional<String> older() {
      return before.map(
          b -> here() + "?" + (failedOnly ? "failed=on&" : "") + "before=" + Address.encoded(b));
    }
  }

  static Reply show(Visit visit) {
    Repo repo = visit.repo();
    boolean failedOnly = visit.query("failed").isPresent();
    var asked = new LinkedHashMap<String, Object>();
    asked.put("repo", repo.asked());
    asked.put("take", MOST);
    asked.put("failed_only", failedOnly);
    visit.query("before").ifPresent(before -> asked.put("before", before));
    Uploads uploads = visit.ask("/v1/uploads/list", asked, Uploads.class);
    return visit.page(
        "uploads",
        visit.frame("Uploads · " + repo.text(), repo, visit.address().uploads(repo), List.of()),
        new Model(repo, visit.address(), uploads.uploads(), failedOnly, uploads.before()));
  }
}
