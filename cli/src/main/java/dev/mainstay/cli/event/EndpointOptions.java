package dev.mainstay.cli.event;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** What an endpoint is, as far as it is given. */
final class EndpointOptions {
  @Option(names = "--name", paramLabel = "NAME", description = "What the endpoint is for.")
  private @Nullable String name;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "standard, trunk, or slack for an incoming webhook of Slack (standard).")
  private @Nullable String format;

  @Option(
      names = "--kinds",
      paramLabel = "KIND",
      split = ",",
      description = {
        "The kinds of events it is told, such as pull_request.merged, queue.* or *.",
        "Without any: all but upload.failed_tests; of format slack only few."
      })
  private @Nullable List<String> kinds;

  @Option(
      names = "--only",
      paramLabel = "REPO",
      split = ",",
      description = "Tell only of these repositories, HOST/OWNER/NAME; \"\" means of all.")
  private @Nullable List<String> only;

  void addTo(ObjectNode request) {
    if (name != null) {
      request.put("name", name);
    }
    if (format != null) {
      request.put("format", format);
    }
    if (kinds != null) {
      var all = request.putArray("kinds");
      kinds.forEach(all::add);
    }
    if (only != null) {
      var all = request.putArray("repos");
      only.stream().filter(repo -> !repo.isEmpty()).forEach(all::add);
    }
  }
}
