package dev.mainstay.server.health.ingest;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.health.result.UploadOrigin;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.SecretStore;
import dev.mainstay.server.platform.Sha256;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryField;
import dev.mainstay.server.repository.RepositoryStore;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a widely used uploader, which works here unmodified: which failed tests are
 * quarantined, an address for a bundle, and the bundle itself, sent without a key.
 */
public final class UploaderApi {
  private static final Duration VALID_FOR = Duration.ofHours(1);
  private static final int MAX_TESTS = 100_000;

  private final Database database;
  private final Clock clock;
  private final Optional<URI> publicUrl;
  private final Ingestion ingestion;
  private final SignedAddress addresses;

  public UploaderApi(Database database, Clock clock, Optional<URI> publicUrl, Ingestion ingestion) {
    this.database = database;
    this.clock = clock;
    this.publicUrl = publicUrl;
    this.ingestion = ingestion;
    addresses =
        new SignedAddress(
            database.inTransaction(handle -> SecretStore.secret(handle, "bundle-addresses")));
  }

  public List<Route> routes() {
    return List.of(
        Route.post("/v1/metrics/getQuarantineConfig", Scope.UPLOAD, this::quarantineConfig),
        Route.post("/v1/metrics/createBundleUpload", Scope.UPLOAD, this::createBundle),
        Route.post("/v1/flakytests-cli/upload-metrics", Scope.UPLOAD, this::telemetry),
        Route.put(SignedAddress.PATH, this::receiveBundle));
  }

  record WireQuarantine(boolean isDisabled, List<String> testIds) {}

  @JsonInclude(JsonInclude.Include.ALWAYS)
  record WireBundle(
      String id,
      String idV2,
      String url,
      String key,
      @Nullable String testCollectionBundleMetaId,
      @Nullable String testCollectionBundleMetaCreatedAt) {}

  private Reply quarantineConfig(Request request) {
    var in = request.fields();
    RepoName repo = repo(in, request.caller());
    var sent =
        in.objects("testIdentifiers", MAX_TESTS).stream().map(QuarantineConfig::test).toList();
    in.check();
    long organization = request.caller().organizationId();
    var found =
        database.query(
            handle ->
                RepositoryStore.find(handle, organization, repo)
                    .flatMap(r -> QuarantineConfig.of(handle, r.id(), sent, clock.instant())));
    return Reply.json(new WireQuarantine(found.isEmpty(), found.orElse(List.of())));
  }

  private Reply createBundle(Request request) {
    var in = request.fields();
    RepoName repo = repo(in, request.caller());
    in.check();
    UUID id = UUID.randomUUID();
    Instant now = clock.instant();
    Instant expiresAt = now.plus(VALID_FOR);
    database.useTransaction(
        handle -> {
          var repository =
              RepositoryStore.findOrCreate(handle, request.caller().organizationId(), repo, now);
          BundleStore.insert(handle, id, repository.id(), now, expiresAt);
        });
    String url = base(request) + addresses.of(id, expiresAt);
    return Reply.json(
        new WireBundle(id.toString(), id.toString(), url, "bundles/" + id, null, null));
  }

  private Reply receiveBundle(Request request) {
    UUID id =
        addresses
            .verified(request.query(), clock.instant())
            .orElseThrow(() -> refused("This address is not valid, or not any more."));
    byte[] body = request.provenBytes();
    Repository repository =
        database
            .inTransaction(
                handle ->
                    BundleStore.claim(handle, id, Sha256.of(body))
                        .flatMap(r -> RepositoryStore.find(handle, r)))
            .orElseThrow(() -> refused("This address has been used already."));
    var files = List.of(UploadedFile.whole("bundle", body));
    UploadOrigin about = BundleMeta.about(repository.name(), files);
    return ResultsApi.reply(
        ingestion.ingest(
            new Ingestion.Incoming(organization(repository), repository, about, files, List.of())),
        0,
        false);
  }

  /** Takes the numbers of an uploader about itself, and drops them. */
  private Reply telemetry(Request request) {
    return Reply.nothing();
  }

  private RepoName repo(Fields in, Caller caller) {
    RepoName repo = RepositoryField.read(in);
    String slug = in.text("orgUrlSlug", Caller.MAX_SLUG_LENGTH);
    in.check();
    if (!caller.isOf(slug)) {
      throw ApiError.notFound("organization_not_found", "There is no such organization.");
    }
    return repo;
  }

  /** The public address; where none was set, the one by which the client came is right. */
  private String base(Request request) {
    return publicUrl.map(URI::toString).orElseGet(() -> request.origin().toString());
  }

  private String organization(Repository repository) {
    return database.query(handle -> RepositoryStore.organization(handle, repository));
  }

  private static ApiError refused(String why) {
    return ApiError.of(403, "address_refused", why);
  }
}
