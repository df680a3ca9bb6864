package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.page.Words;
import dev.mainstay.server.web.tests.Answers.Skip;
import dev.mainstay.server.web.tests.Answers.Test;
import dev.mainstay.server.web.tests.Answers.Upload;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An upload: where it came from, what was in it, what of that was skipped and why. */
public final class UploadPage {
  private UploadPage() {}

  public record Model(Repo repo, Address at, Upload upload) {
    public List<Skip> skipped() {
      return upload.skipped().orElse(List.of());
    }

    public List<Test> failed() {
      return upload.failedTests().orElse(List.of());
    }

    public Optional<String> ci() {
      return Names.web(upload.ciUrl());
    }

    /** What came of it, in one sentence. */
    public String sentence() {
      if (upload.setAside()) {
        return "Set aside: its results are kept, but no test is judged by them.";
      }
      return upload
          .verdict()
          .map(v -> v.reason().isEmpty() ? verdict(v) : v.reason())
          .orElse("Its results were taken in.");
    }

    private static String verdict(Answers.Verdict verdict) {
      return verdict.mayPass()
          ? "The job may pass."
          : Words.count(verdict.failedTests() - verdict.quarantinedTests(), "test")
              + " failed that no quarantine covers.";
    }

    public String tone() {
      return upload.setAside()
          ? "calm"
          : upload.verdict().map(v -> v.mayPass() ? "ok" : "bad").orElse("");
    }
  }

  static Reply show(Visit visit) {
    Repo repo = visit.repo();
    String id = PathIds.of(visit, "upload");
    Upload upload =
        visit.ask(
            "/v1/uploads/get", Map.of("repo", repo.asked(), "upload_id", id), Upload.class);
    String uploads = visit.address().uploads(repo);
    String here = visit.address().upload(repo, id);
    return visit.page(
        "upload",
        visit.frame(
            "Upload · " + repo.text(),
            repo,
            uploads,
            List.of(new Frame.Crumb("Uploads", uploads), new Frame.Crumb(id.substring(0, 8), here))),
        new Model(repo, visit.address(), upload));
  }
}
