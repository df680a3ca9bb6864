package dev.mainstay.server.web.tests;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import dev.mainstay.server.web.page.Words;
import dev.mainstay.server.web.tests.Answers.Failed;
import dev.mainstay.server.web.tests.Answers.Shortfall;
import dev.mainstay.server.web.tests.Answers.Skip;
import dev.mainstay.server.web.tests.Answers.Test;
import dev.mainstay.server.web.tests.Answers.Unread;
import dev.mainstay.server.web.tests.Answers.Upload;
import dev.mainstay.server.web.tests.Answers.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** An upload: where it came from, what was in it, what of that was skipped and why. */
public final class UploadPage {
  private UploadPage() {}

  /** Something that was not taken in; a line of 0 stands for the whole file. */
  public record LeftOut(String file, int line, String why) {
    static LeftOut of(Skip skip) {
      return new LeftOut(skip.file(), skip.line(), skip.reason());
    }

    static LeftOut of(Shortfall missing) {
      return new LeftOut(
          missing.file(),
          0,
          "It announces %d failures and shows %d.".formatted(missing.announced(), missing.found()));
    }
  }

  public record Model(Repo repo, Address at, Upload upload) {
    /** What of it was not taken in, whole files first. */
    public List<LeftOut> leftOut() {
      return Stream.of(
              files(upload.verdict().flatMap(Verdict::unreadable)),
              upload.verdict().flatMap(Verdict::missing).stream()
                  .flatMap(List::stream)
                  .map(LeftOut::of),
              upload.skipped().stream().flatMap(List::stream).map(LeftOut::of),
              files(upload.ignored()))
          .flatMap(all -> all)
          .distinct()
          .toList();
    }

    private static Stream<LeftOut> files(Optional<List<Unread>> files) {
      return files.stream().flatMap(List::stream).map(f -> new LeftOut(f.file(), 0, f.reason()));
    }

    /** The message of a failure, as it was told when the upload came. */
    public String message(Test test) {
      return upload.verdict().flatMap(Verdict::failures).stream()
          .flatMap(List::stream)
          .filter(failed -> failed.testId().equals(test.id()))
          .map(Failed::message)
          .findFirst()
          .orElse("");
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

    private static String verdict(Verdict verdict) {
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
        visit.ask("/v1/uploads/get", Map.of("repo", repo.asked(), "upload_id", id), Upload.class);
    String uploads = visit.address().uploads(repo);
    String here = visit.address().upload(repo, id);
    return visit.page(
        "upload",
        visit.frame(
            "Upload · " + repo.text(),
            repo,
            uploads,
            List.of(
                new Frame.Crumb("Uploads", uploads), new Frame.Crumb(id.substring(0, 8), here))),
        new Model(repo, visit.address(), upload));
  }
}
