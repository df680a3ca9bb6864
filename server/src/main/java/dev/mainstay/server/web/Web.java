package dev.mainstay.server.web;

import dev.mainstay.server.access.Sessions;
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
import dev.mainstay.server.web.sign.SignInPage;
import java.util.List;
import java.util.stream.Stream;

/** All pages. */
public final class Web implements AutoCloseable {
  /** The most live pages of one organization at a time on one node. */
  private static final int MOST_LIVE = 2000;

  private final Kit kit;
  private final Live live;
  private final List<Route> routes;

  public Web(Kit kit, Sessions sessions, Entrance.PublicPages publicPages, Pulse pulse) {
    this.kit = kit;
    this.live = new Live(pulse, MOST_LIVE);
    var entrance = new Entrance(kit, sessions, publicPages, pulse);
    this.routes =
        Stream.of(
                kit.assets().routes(),
                new LiveStream(live, entrance).routes(),
                new SignInPage(kit, sessions, false).routes(entrance),
                QueuePages.routes(entrance),
                new DocsPages(kit, entrance, Description.load()).routes())
            .flatMap(List::stream)
            .toList();
  }

  public List<Route> routes() {
    return routes;
  }

  public Surface surface() {
    return Html.surface(kit);
  }

  /** Ends the streams of those who follow pages. */
  @Override
  public void close() {
    live.close();
  }
}
