package dev.mainstay.server.web.live;

import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.web.page.Entrance;
import dev.mainstay.server.web.page.Pulse;
import dev.mainstay.server.web.page.Repo;
import dev.mainstay.server.web.page.Visit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The stream that a page of a repository follows, or the first page. */
public final class LiveStream {
  private final Live live;
  private final Entrance entrance;

  public LiveStream(Live live, Entrance entrance) {
    this.live = live;
    this.entrance = entrance;
  }

  public List<Route> routes() {
    return List.of(Route.get("/live", this::follow));
  }

  private Reply follow(Request request) {
    var visitor =
        entrance
            .visitor(request)
            .orElseThrow(() -> ApiError.of(401, "signed_out", "Sign in to follow a page."));
    Optional<Repo> repo =
        Optional.ofNullable(request.query().get("repo"))
            .map(text -> Repo.of(text).orElseThrow(Visit::nothingHere));
    String seen = request.query().getOrDefault("seen", "");
    long organization = visitor.caller().organizationId();
    if (!live.enter(organization)) {
      throw ApiError.of(
          503, "too_many_live_pages", "Too many pages are followed at once; reload now and then.");
    }
    var topic = new Pulse.Topic(organization, repo);
    return Reply.stream(
            "text/event-stream",
            out -> live.follow(topic, seen, () -> entrance.visitor(request).isPresent(), out))
        .with(Map.of("Cache-Control", "no-store", "X-Accel-Buffering", "no"));
  }
}
