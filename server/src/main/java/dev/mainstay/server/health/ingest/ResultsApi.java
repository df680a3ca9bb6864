package dev.mainstay.server.health.ingest;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.Branches;
import dev.mainstay.core.health.Glob;
import dev.mainstay.server.health.result.UploadOrigin;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Fields;
import dev.mainstay.server.platform.http.Multipart;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Results in, by one request: reports or archives of them, with what they are about. */
public final class ResultsApi {
  private static final int MAX_FIELD_LENGTH = 4000;
  private static final int MOST_IGNORED = 100;
  private static final int MAX_GLOB_LENGTH = 300;
  private static final Set<String> NUMBERS = Set.of("pr", "attempt", "test_exit_code");

  private final Ingestion ingestion;

  public ResultsApi(Ingestion ingestion) {
    this.ingestion = ingestion;
  }

  public List<Route> routes() {
    return List.of(Route.post("/v1/test-results", Scope.UPLOAD, this::upload).alsoForErrands());
  }

  private Reply upload(Request request) {
    Map<String, String> said = new LinkedHashMap<>(request.query());
    var ignore = new ArrayList<>(request.query("ignore"));
    List<UploadedFile> files = files(request, said, ignore);
    Caller caller = request.caller();
    caller.errand().ifPresent(errand -> keepTo(errand, said));
    Said all = said(fields(said), ignore);
    var repository = ingestion.repository(caller.organizationId(), all.about());
    return reply(
        ingestion.ingest(
            new Ingestion.Incoming(
                caller.organization(),
                repository,
                all.about(),
                files,
                ignore.stream().map(Glob::new).toList())),
        all.testExitCode(),
        all.strict());
  }

  /** Results of a queue's test command are about what it tests, whatever else is said of them. */
  private static void keepTo(Caller.Errand errand, Map<String, String> said) {
    Optional<RepoName> own = RepoName.parse(errand.repo());
    String named = said.getOrDefault("repo", "");
    boolean other =
        !named.isBlank()
            && !RepoName.parse(named).map(RepoName::key).equals(own.map(RepoName::key));
    if (other) {
      throw ApiError.of(
          403,
          "insufficient_scope",
          "This is the key of a test command: it only sends results of " + errand.repo() + ".");
    }
    said.put("repo", errand.repo());
    said.put("branch", errand.branch());
    said.put("commit", errand.commit());
    said.put("pr", errand.pullRequest().map(String::valueOf).orElse(""));
  }

  /** Everything that is said of an upload, beside its files. */
  private record Said(UploadOrigin about, int testExitCode, boolean strict) {}

  static Reply reply(Intake intake, int exitCode, boolean strict) {
    return switch (intake) {
      case Intake.Stored(var answer) -> {
        // Not kept: the same upload may be sent again for a job that ended otherwise.
        if (answer.path("verdict") instanceof ObjectNode verdict) {
          verdict.put("exit_code", Verdicts.exitCode(verdict, exitCode, strict));
        }
        yield Reply.json(answer);
      }
      case Intake.Busy() -> throw ApiError.busy();
      case Intake.UnpacksTooLarge(var limit) -> throw ApiError.of(413, "unpacks_too_large", limit);
    };
  }

  /** The files of the body; form fields are added to what is said. */
  private static List<UploadedFile> files(
      Request request, Map<String, String> said, List<String> ignore) {
    String contentType = request.header("content-type").orElse("");
    byte[] body = request.bytes();
    if (!Multipart.isMultipart(contentType)) {
      if (body.length == 0) {
        throw ApiError.of(
            400, "empty_body", "Send a test report, or an archive of them, as the body.");
      }
      return List.of(UploadedFile.whole("report", body));
    }
    var files = new ArrayList<UploadedFile>();
    for (var part : Multipart.parts(contentType, body)) {
      if (part.fileName().isPresent()) {
        files.add(file(part));
      } else if (part.name().equals("ignore") && part.length() <= MAX_FIELD_LENGTH) {
        ignore.add(part.text());
      } else if (part.length() <= MAX_FIELD_LENGTH) {
        said.put(part.name(), part.text());
      } else {
        throw ApiError.of(
            400,
            "invalid_multipart",
            "A form field is longer than %d bytes; a file needs a file name."
                .formatted(MAX_FIELD_LENGTH));
      }
    }
    if (files.isEmpty()) {
      throw ApiError.of(
          400, "empty_body", "The form holds no file; send reports as -F file=@report.xml.");
    }
    return files;
  }

  /** A file sent under the name CODEOWNERS is one, whatever it is called itself. */
  private static UploadedFile file(Multipart.Part part) {
    String name =
        part.name().equalsIgnoreCase("codeowners") ? "CODEOWNERS" : part.fileName().orElse("");
    return new UploadedFile(name, part.body(), part.offset(), part.length());
  }

  /** Empty values, as unset variables of a CI system leave them, count as missing. */
  private static Fields fields(Map<String, String> said) {
    var node = Json.object();
    said.forEach(
        (name, value) -> {
          String text = value.strip();
          if (text.matches("-?\\d{1,10}") && NUMBERS.contains(name)) {
            node.put(name, Long.parseLong(text));
          } else if (text.matches("(?i)true|false") && name.equals("strict")) {
            node.put(name, text.equalsIgnoreCase("true"));
          } else if (!text.isEmpty()) {
            node.put(name, text);
          }
        });
    return new Fields(node);
  }

  private static Said said(Fields in, List<String> ignore) {
    ignore.removeIf(String::isBlank);
    if (ignore.size() > MOST_IGNORED
        || ignore.stream().anyMatch(glob -> glob.length() > MAX_GLOB_LENGTH)) {
      in.fault(
          "ignore",
          "must be at most %d patterns of at most %d characters"
              .formatted(MOST_IGNORED, MAX_GLOB_LENGTH));
    }
    String repoText = in.text("repo", RepoName.MAX_LENGTH);
    Optional<RepoName> repo = RepoName.parse(repoText);
    if (repo.isEmpty() && !repoText.isEmpty()) {
      in.fault("repo", "must be host/owner/name");
    }
    String branch = in.optionalText("branch", UploadOrigin.MAX_BRANCH_LENGTH).orElse("");
    String commit = in.optionalText("commit", UploadOrigin.MAX_COMMIT_LENGTH).orElse("");
    if (!commit.matches("[0-9a-zA-Z._-]*")) {
      in.fault("commit", "must be the id of a commit");
    }
    var pr = in.optionalInteger("pr", 1, Integer.MAX_VALUE);
    String job = in.optionalText("job", UploadOrigin.MAX_JOB_LENGTH).orElse("");
    String variant = in.optionalText("variant", UploadOrigin.MAX_VARIANT_LENGTH).orElse("");
    var ciUrl = in.optionalText("ci_url", UploadOrigin.MAX_URL_LENGTH);
    if (ciUrl.isPresent() && !ciUrl.get().matches("(?i)https?://\\S+")) {
      in.fault("ci_url", "must be an http or https address");
    }
    var attempt = in.optionalInteger("attempt", 1, UploadOrigin.MAX_ATTEMPT);
    int testExitCode =
        in.optionalInteger("test_exit_code", Integer.MIN_VALUE, Integer.MAX_VALUE).orElse(0);
    boolean strict = in.optionalFlag("strict").orElse(false);
    in.check();
    var number = pr.or(() -> Branches.pullRequestOf(branch).stream().boxed().findFirst());
    return new Said(
        new UploadOrigin(repo.orElseThrow(), branch, commit, number, job, variant, ciUrl, attempt),
        testExitCode,
        strict);
  }
}
