package dev.mainstay.server.web.page;

import dev.mainstay.server.platform.http.Inside;
import java.net.URI;
import java.time.Clock;

/** The parts that every page is made with. */
public record Kit(
    Inside api,
    URI publicUrl,
    Assets assets,
    Templates templates,
    Cookies cookies,
    FormTokens formTokens) {

  /** {@code secret} signs forms, and is the same on every node. */
  public static Kit of(Inside api, URI publicUrl, byte[] secret, Clock clock) {
    return new Kit(
        api,
        publicUrl,
        Assets.carried(),
        new Templates(),
        new Cookies(publicUrl),
        new FormTokens(secret, clock));
  }
}
