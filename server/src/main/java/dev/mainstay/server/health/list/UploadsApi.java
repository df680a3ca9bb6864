package dev.mainstay.server.health.list;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.health.result.StoredUpload;
import dev.mainstay.server.health.result.StoredUploadStore;
import dev.mainstay.server.health.test.Links;
import dev.mainstay.server.health.test.RepoApi;
import dev.mainstay.server.health.test.RepoFields;
import dev.mainstay.server.health.test.RepoView;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** Uploads after the fact: what came in, what was skipped, and what the verdict was. */
public final class UploadsApi {
  private static final int MOST_TAKEN = 100;
  private static final int USUALLY_TAKEN = 50;
  private static final int MOST_FAILED = 100;

  private final Database database;
  private final Clock clock;
  private final TestRecords records;

  public UploadsApi(Database database, Clock clock, Links links) {
    this.database = database;
    this.clock = clock;
    records = new TestRecords(links);
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/uploads/list", Scope.READ, this::list),
        Route.post("/v1/uploads/get", Scope.READ, this::get));
  }

  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireUploads(List<WireUpload> uploads, Optional<UUID> before) {}

  @JsonNaming(SnakeCaseStrategy.class)
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record WireUpload(
      UUID uploadId,
      String at,
      String branch,
      String commit,
      Optional<Integer> pr,
      Optional<String> job,
      Optional<String> variant,
      Optional<String> ciUrl,
      int attempt,
      boolean setAside,
      JsonNode counts,
      JsonNode skippedTotal,
      JsonNode verdict) {

    static WireUpload of(StoredUpload upload) {
      return new WireUpload(
          upload.publicId(),
          upload.receivedAt().toString(),
          upload.branch(),
          upload.commit(),
          upload.pullRequest(),
          TestRecord.said(upload.job()),
          TestRecord.said(upload.variant()),
          upload.ciUrl(),
          upload.attempt(),
          upload.setAside(),
          upload.answer().path("counts"),
          upload.answer().path("skipped_total"),
          upload.answer().path("verdict"));
    }
  }

  @JsonNaming(SnakeCaseStrategy.class)
  record WireWholeUpload(
      @JsonUnwrapped WireUpload upload,
      JsonNode skipped,
      JsonNode ignored,
      List<TestRecord> failedTests) {}

  private Reply list(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    Optional<UUID> before = in.optionalUuid("before");
    boolean onlyFailed = in.optionalFlag("failed_only").orElse(false);
    int take = in.optionalInteger("take", 1, MOST_TAKEN).orElse(USUALLY_TAKEN);
    in.check();
    long repository = RepoApi.view(database, request.caller(), repo).repositoryId();
    long number = before.map(id -> number(in, repository, id)).orElse(Long.MAX_VALUE);
    List<StoredUpload> found =
        database.query(h -> StoredUploadStore.before(h, repository, number, onlyFailed, take + 1));
    List<StoredUpload> page = found.subList(0, Math.min(take, found.size()));
    return Reply.json(
        new WireUploads(
            page.stream().map(WireUpload::of).toList(),
            found.size() > take ? Optional.of(page.getLast().publicId()) : Optional.empty()));
  }

  private long number(Fields in, long repository, UUID before) {
    Optional<Long> number =
        database.query(handle -> StoredUploadStore.number(handle, repository, before));
    if (number.isEmpty()) {
      in.fault("before", "must be the before of an earlier answer");
    }
    in.check();
    return number.orElseThrow();
  }

  private Reply get(Request request) {
    var in = request.fields();
    RepoName repo = RepoFields.read(in);
    UUID id = in.uuid("upload_id");
    in.check();
    RepoView repository = RepoApi.view(database, request.caller(), repo);
    StoredUpload upload =
        database
            .query(handle -> StoredUploadStore.find(handle, repository.repositoryId(), id))
            .orElseThrow(UploadsApi::noSuchUpload);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var failed = database.query(h -> records.brief(h, repository, failed(upload), now));
    return Reply.json(
        new WireWholeUpload(
            WireUpload.of(upload),
            upload.answer().withArray("skipped"),
            upload.answer().withArray("ignored"),
            failed));
  }

  private static List<UUID> failed(StoredUpload upload) {
    return upload
        .answer()
        .at("/verdict/failures")
        .valueStream()
        .limit(MOST_FAILED)
        .map(failure -> UUID.fromString(failure.path("test_id").asString()))
        .toList();
  }

  private static ApiError noSuchUpload() {
    return ApiError.notFound("upload_not_found", "The repository has no upload of this id.");
  }
}
