package dev.mainstay.server.web.tests;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Words;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** Answers of the API about tests, as far as pages show them. */
public final class Answers {
  private Answers() {}

  public record Counts(
      int total,
      int healthy,
      int flaky,
      int broken,
      int quarantined,
      @JsonProperty("failed_24h") int failedOfDay) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Link(String htmlUrl) {}

  public record Status(String value, String reason, String timestamp) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Test(
      String id,
      String name,
      String variant,
      Status status,
      @JsonProperty("failure_rate_last_7d") Optional<Double> week,
      @JsonProperty("failure_rate_last_24h") Optional<Double> day,
      Optional<String> filePath,
      Optional<String> parent,
      Optional<String> classname,
      List<String> codeowners,
      @JsonProperty("pull_requests_impacted_last_7d") int pullRequestsImpacted,
      boolean quarantined,
      Optional<Link> ticket,
      Optional<String> lastFailureMessage,
      Optional<String> ciUrl) {
    /** Where it is, in the words of its report. */
    public String place() {
      return String.join(
          " · ",
          Stream.of(classname, filePath, Optional.of(variant))
              .flatMap(Optional::stream)
              .filter(text -> !text.isEmpty())
              .map(Names::brief)
              .toList());
    }

    public String brief() {
      return name.isBlank() ? "(without a name)" : Names.brief(name);
    }

    /** Where the job of its last failure is shown. */
    public Optional<String> ci() {
      return Names.web(ciUrl);
    }
  }

  public record Tests(List<Test> tests, Optional<String> after, Counts counts) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Decision(
      String setting,
      String by,
      String reason,
      String since,
      Optional<String> until,
      Optional<Integer> afterPasses,
      boolean untilTicketClosed) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Phase(
      boolean broken,
      String from,
      String to,
      int runs,
      int failures,
      String firstCommit,
      Optional<String> commitBefore) {
    /** Its name within the page. */
    public String anchor() {
      return "since-" + from.replaceAll("\\D", "");
    }

    /** Between which two commits that were run it began. */
    public Optional<String> began() {
      return commitBefore.map(
          c -> "between %s and %s".formatted(Words.commit(c), Words.commit(firstCommit)));
    }
  }

  public record Flakiness(
      double probability,
      double rate,
      double low,
      double high,
      double runs,
      double failures,
      List<Phase> phases) {}

  public record Evidence(
      String sentence,
      String from,
      String to,
      long runs,
      long failures,
      List<String> commits,
      Map<String, Double> numbers) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Monitor(
      String monitorId,
      String name,
      String kind,
      boolean enabled,
      boolean active,
      Optional<String> status,
      Optional<String> since,
      Optional<String> mutedUntil,
      Optional<Evidence> evidence) {}

  /** Failures that look alike, with the latest as an example. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Group(
      String summary,
      int occurrenceCount,
      String firstOccurrence,
      String lastOccurrence,
      String message,
      String stack) {
    /** A short name for addresses, which stays while the group does. */
    public String key() {
      return Integer.toHexString((firstOccurrence + summary).hashCode());
    }
  }

  @JsonNaming(SnakeCaseStrategy.class)
  public record Change(
      long number,
      String at,
      String before,
      String after,
      String reason,
      Optional<String> monitorName,
      Optional<Evidence> evidence) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Dossier(
      Test test,
      String firstSeenAt,
      Optional<Decision> quarantineOverride,
      Optional<String> ticketState,
      Flakiness flakiness,
      List<Monitor> monitors,
      List<Group> failures,
      List<Change> changes) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Run(
      String at,
      String outcome,
      String branch,
      String commit,
      Optional<Integer> pr,
      Optional<String> job,
      Optional<String> ciUrl,
      Optional<Integer> durationMs,
      Optional<String> message,
      String uploadId,
      int attempt) {}

  public record Runs(List<Run> runs, Optional<String> before) {}

  public record Day(String day, int runs, int failures) {}

  public record Days(List<Day> days) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record UploadCounts(
      int files, int tests, int runs, int passed, int failed, int errored, int skipped) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Verdict(
      boolean mayPass,
      String reason,
      int failedTests,
      int quarantinedTests,
      Optional<List<Failed>> failures,
      Optional<List<Unread>> unreadable,
      Optional<List<Shortfall>> missing) {}

  /** A failure as it was told when the upload came. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Failed(String testId, String message, boolean quarantined) {}

  public record Skip(String file, int line, String reason) {}

  public record Unread(String file, String reason) {}

  public record Shortfall(String file, long announced, long found) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Upload(
      String uploadId,
      String at,
      String branch,
      String commit,
      Optional<Integer> pr,
      Optional<String> job,
      Optional<String> variant,
      Optional<String> ciUrl,
      boolean setAside,
      Optional<UploadCounts> counts,
      @JsonProperty("skipped_total") Optional<Integer> skips,
      Optional<Verdict> verdict,
      Optional<List<Skip>> skipped,
      Optional<List<Unread>> ignored,
      Optional<List<Test>> failedTests) {
    public int skippedTotal() {
      return skips.orElse(0);
    }
  }

  public record Uploads(List<Upload> uploads, Optional<String> before) {}

  public record Stopped(String at, String reason) {}

  /** A test that is quarantined, since when, and by what that ends. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Hidden(
      String testId,
      String name,
      String status,
      List<String> codeowners,
      String quarantineSetting,
      String quarantinedAt,
      int hours,
      Optional<String> until,
      Optional<Integer> afterPasses,
      boolean untilTicketClosed,
      Optional<String> ticket,
      @JsonProperty("failures_hidden_last_7d") int failuresHidden) {
    public String brief() {
      return name.isBlank() ? "(without a name)" : Names.brief(name);
    }

    public boolean isAutomatic() {
      return quarantineSetting.equals("AUTO_QUARANTINE");
    }

    public String forHowLong() {
      return hours == 0 ? "less than an hour" : Words.span(hours * 3600.0);
    }

    /** What ends it, but for a time and a ticket. */
    public List<String> ends() {
      return Stream.of(
              Optional.of("when it is healthy").filter(end -> isAutomatic()),
              afterPasses.map(
                  n -> n == 1 ? "after a pass" : "after %d passes in a row".formatted(n)))
          .flatMap(Optional::stream)
          .toList();
    }

    /** Nothing but somebody's next decision ends it. */
    public boolean isForGood() {
      return !isAutomatic() && until.isEmpty() && afterPasses.isEmpty() && !untilTicketClosed;
    }
  }

  @JsonNaming(SnakeCaseStrategy.class)
  public record QuarantineReport(
      boolean quarantining,
      boolean autoQuarantine,
      Optional<Integer> quarantineCap,
      Optional<Stopped> autoQuarantineStopped,
      int quarantined,
      int automatic,
      @JsonProperty("failures_hidden_last_7d") int failuresHidden,
      List<Hidden> tests) {}

  @JsonNaming(SnakeCaseStrategy.class)
  public record Ticket(String id, String htmlUrl, Optional<String> state) {}

  public record Linked(Repo repo, @JsonUnwrapped Test test) {}

  public record TicketTests(Ticket ticket, List<Linked> tests) {}

  public record Listed(Repo repo) {}

  public record Repositories(List<Listed> repositories, Optional<String> nextCursor) {}
}
