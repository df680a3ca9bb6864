package dev.mainstay.server.health.ingest;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.Branches;
import dev.mainstay.core.health.CiEnvironment;
import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.health.result.UploadOrigin;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.report.Limits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The {@code meta.json} of a bundle. Its fields come and go: those that are there are read. */
final class BundleMeta {
  private BundleMeta() {}

  static UploadOrigin about(RepoName repo, List<UploadedFile> files) {
    JsonNode meta = meta(files);
    Map<String, String> variables = new HashMap<>();
    meta.path("envs")
        .properties()
        .forEach(e -> variables.put(e.getKey(), e.getValue().asString("")));
    var ci = CiEnvironment.detect(variables);
    JsonNode head = meta.path("repo");
    String sent = text(head.path("repo_head_branch"), UploadOrigin.MAX_BRANCH_LENGTH);
    String branch =
        branch(
            sent,
            bounded(ci.map(CiEnvironment::branch).orElse(""), UploadOrigin.MAX_BRANCH_LENGTH));
    Optional<Integer> number =
        number(variables.getOrDefault("TRUNK_PR_NUMBER", ""))
            .or(() -> ci.flatMap(CiEnvironment::pullRequest))
            .or(() -> Branches.pullRequestOf(sent).stream().boxed().findFirst())
            .or(() -> Branches.pullRequestOf(branch).stream().boxed().findFirst());
    return new UploadOrigin(
        repo,
        branch,
        text(head.path("repo_head_sha"), UploadOrigin.MAX_COMMIT_LENGTH),
        number,
        bounded(ci.map(CiEnvironment::job).orElse(""), UploadOrigin.MAX_JOB_LENGTH),
        text(meta.path("variant"), UploadOrigin.MAX_VARIANT_LENGTH),
        ci.map(CiEnvironment::url).filter(url -> url.matches("https?://\\S{1,1900}")),
        ci.flatMap(CiEnvironment::attempt));
  }

  /**
   * The branch of the job. An uploader finds a ref of its checkout, which in the job of a pull
   * request is no branch at all; so it gives way to the one that the CI system names. A name that
   * somebody chose stays.
   */
  private static String branch(String sent, String ofCi) {
    boolean isFound = sent.isEmpty() || sent.equals("HEAD") || sent.startsWith("refs/remotes/");
    return Branches.shortName(isFound && !ofCi.isEmpty() ? ofCi : sent);
  }

  /** The object in meta.json; without one, or where it cannot be read, an empty one. */
  private static JsonNode meta(List<UploadedFile> files) {
    try {
      return SideFiles.find(files, "meta.json"::equals, Limits.META_BYTES)
          .map(Json::readObject)
          .orElseGet(Json::object);
    } catch (Json.Malformed e) {
      return Json.object();
    }
  }

  private static String text(JsonNode node, int maxLength) {
    return bounded(node.asString(""), maxLength);
  }

  private static String bounded(String text, int maxLength) {
    String clean = text.strip().replaceAll("[\\p{Cntrl}\\p{Cs}]", "\ufffd");
    return BoundedText.name(clean, maxLength);
  }

  private static Optional<Integer> number(String text) {
    return text.matches("[1-9]\\d{0,8}") ? Optional.of(Integer.parseInt(text)) : Optional.empty();
  }
}
