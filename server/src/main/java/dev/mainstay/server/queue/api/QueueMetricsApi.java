package dev.mainstay.server.queue.api;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.PrometheusText;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Scope;
import dev.mainstay.server.queue.Queues;
import dev.mainstay.server.repository.RepositoryField;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The numbers of all queues of an organization, or of one repository, for Prometheus. */
public final class QueueMetricsApi {
  private final Queues queues;

  public QueueMetricsApi(Queues queues) {
    this.queues = queues;
  }

  public List<Route> routes() {
    return List.of(Route.get("/v1/getMergeQueueMetrics", Scope.READ, this::metrics));
  }

  private Reply metrics(Request request) {
    var in = request.parameters();
    Optional<RepoName> repo =
        in.has("repo") || in.has("repoHost")
            ? Optional.of(RepositoryField.parameters(in))
            : Optional.empty();
    in.check();
    String text =
        queues
            .numbers(request.caller().organizationId(), repo)
            .map(numbers -> QueueMetrics.write(numbers, queues.clocks()))
            .orElseThrow(
                () ->
                    ApiError.notFound(
                        "repository_not_found", "The organization has no such repository."));
    return Reply.bytes(PrometheusText.CONTENT_TYPE, text.getBytes(StandardCharsets.UTF_8));
  }
}
