package dev.mainstay.server.web.sign;

import dev.mainstay.server.access.oidc.OidcSignIn;
import dev.mainstay.server.access.oidc.OidcSignIn.Begun;
import dev.mainstay.server.access.oidc.OidcSignIn.Result;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.web.page.Kit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Signing in at the team's own identity provider: there, and back. */
public final class ProviderPage {
  private static final String BACK = "/sign-in/oidc/callback";

  private final Kit kit;
  private final OidcSignIn provider;

  public ProviderPage(Kit kit, OidcSignIn provider) {
    this.kit = kit;
    this.provider = provider;
  }

  public List<Route> routes() {
    return List.of(Route.get("/sign-in/oidc", this::away), Route.get(BACK, this::back));
  }

  private Reply away(Request request) {
    String to = SignInPage.ownPath(request.query().getOrDefault("to", "/"));
    return switch (provider.begin(kit.cookies().absolute(request, BACK), to)) {
      case Begun.Away(var page, var pending) -> {
        long seconds = OidcSignIn.LONGEST.toSeconds();
        yield Reply.see(page.toString())
            .with(Map.of("Set-Cookie", kit.cookies().carry(request, pending, seconds)));
      }
      case Begun.Refused(var sentence) -> throw ApiError.of(503, "sign_in_failed", sentence);
    };
  }

  private Reply back(Request request) {
    Map<String, String> query = request.query();
    var callback =
        new OidcSignIn.Callback(
            Optional.ofNullable(query.get("code")),
            Optional.ofNullable(query.get("state")),
            Optional.ofNullable(query.get("iss")),
            Optional.ofNullable(query.get("error")));
    return switch (provider.finish(callback, kit.cookies().pending(request).orElse(""))) {
      case Result.SignedIn(var opened, var to) -> SignInPage.opened(kit, request, opened, to);
      case Result.NoRole(var name) ->
          throw ApiError.of(
              403,
              "no_role",
              "%s is signed in, but has no role here: ask whoever runs Mainstay for one."
                  .formatted(name));
      case Result.Refused(var sentence) -> throw ApiError.of(403, "sign_in_refused", sentence);
    };
  }
}
