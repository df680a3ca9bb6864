package dev.mainstay.server.web;

import dev.mainstay.server.access.Sessions;
import dev.mainstay.server.access.oidc.OidcSignIn;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.platform.http.Surface;
import dev.mainstay.server.web.description.Description;
import dev.mainstay.server.web.docs.DocsPages;
import dev.mainstay.server.web.live.Live;
import dev.mainstay.server.web.live.LiveStream;
import dev.mainstay.server.web.page.Entrance;
import dev.mainstay.server.web.page.Html;
import dev.mainstay.server.web.page.Kit;
import dev.mainstay.server.web.page.Pulse;
import dev.mainstay.server.web.queue.QueuePages;
import dev.mainstay.server.web.settings.SettingsPages;
import dev.mainstay.server.web.sign.ProviderPage;
import dev.mainstay.server.web.sign.SignInPage;
import dev.mainstay.server.web.tests.TestPages;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** All pages. */
public final class Web implements AutoCloseable {
  /** The most live pages of one organization at a time on one node. */
  private static final int MOST_LIVE = 2000;

  private static final String ORGANIZATION = "/{org}";
  private static final String REPOSITORY = ORGANIZATION + "/{repo...}";

  private final Kit kit;
  private final Live live;
  private final List<Route> routes;

  public Web(
      Kit kit,
      Sessions sessions,
      Optional<OidcSignIn> provider,
      Entrance.PublicPages publicPages,
      Pulse pulse,
      Clock clock) {
    this.kit = kit;
    this.live = new Live(pulse, MOST_LIVE);
    var entrance = new Entrance(kit, sessions, publicPages, pulse);
    var description = Description.ofServer();
    this.routes =
        everywhere(
            Stream.of(
                    kit.assets().routes(),
                    new LiveStream(live, entrance).routes(),
                    new SignInPage(kit, sessions, provider.isPresent()).routes(entrance),
                    provider.map(p -> new ProviderPage(kit, p).routes()).orElse(List.of()),
                    QueuePages.routes(entrance, clock),
                    TestPages.routes(entrance),
                    new SettingsPages(description).routes(entrance),
                    new DocsPages(kit, entrance, description).routes())
                .flatMap(List::stream)
                .toList());
  }

  public List<Route> routes() {
    return routes;
  }

  public Surface surface() {
    return Html.surface(kit);
  }

  /** The pages of an organization are also aside, for those whose slug is taken. */
  private static List<Route> everywhere(List<Route> pages) {
    Function<Request, Reply> repository =
        pages.stream().filter(p -> p.path().equals(REPOSITORY)).findFirst().orElseThrow().handler();
    return pages.stream()
        .flatMap(
            page ->
                page.path().startsWith(ORGANIZATION)
                    ? Stream.of("", "/-").map(aside -> orWhole(page, aside, repository))
                    : Stream.of(page))
        .toList();
  }

  /** Owners nest: what is no page of a repository may be the path of another repository. */
  private static Route orWhole(Route page, String aside, Function<Request, Reply> repository) {
    Route route = page.at(aside + page.path());
    if (!page.method().equals("GET") || !page.path().startsWith(REPOSITORY + "/")) {
      return route;
    }
    return route.by(
        request -> {
          try {
            return page.handler().apply(request);
          } catch (ApiError missing) {
            if (missing.status() != 404) {
              throw missing;
            }
            return whole(request.as(aside + REPOSITORY).orElseThrow(), repository, missing);
          }
        });
  }

  private static Reply whole(
      Request request, Function<Request, Reply> repository, ApiError missing) {
    try {
      return repository.apply(request);
    } catch (ApiError e) {
      throw e.status() == 404 ? missing : e;
    }
  }

  /** Ends the streams of those who follow pages. */
  @Override
  public void close() {
    live.close();
  }
}
