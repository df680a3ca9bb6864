package dev.mainstay.server.web.sign;

import dev.mainstay.server.access.Sessions;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import dev.mainstay.server.web.page.Entrance;
import dev.mainstay.server.web.page.FormTokens;
import dev.mainstay.server.web.page.Frame;
import dev.mainstay.server.web.page.Kit;
import dev.mainstay.server.web.page.Visit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Signing in with a key, signing out here or everywhere, and who one is signed in as. */
public final class SignInPage {
  private static final int MAX_PATH = 2000;

  private final Kit kit;
  private final Sessions sessions;
  private final boolean byProvider;

  /** {@code byProvider}: whether the team's own identity provider is offered too. */
  public SignInPage(Kit kit, Sessions sessions, boolean byProvider) {
    this.kit = kit;
    this.sessions = sessions;
    this.byProvider = byProvider;
  }

  /** The form of the page; {@code to} is where it leads. */
  public record Model(String to, Optional<String> fault, boolean byProvider, boolean openWire) {}

  /** Whoever is signed in. */
  public record Account(
      String name, String role, String organization, boolean isPerson, String expiresAt) {}

  public List<Route> routes(Entrance entrance) {
    return List.of(
        Route.get(
            "/sign-in", request -> show(request, request.query(), Optional.empty()).with(200)),
        Route.post("/sign-in", this::signIn),
        entrance.page("/account", this::account),
        entrance.action("/sign-out", (visit, form) -> signOut(visit, false)),
        entrance.action("/sign-out/everywhere", (visit, form) -> signOut(visit, true)));
  }

  private Reply show(Request request, Map<String, String> wish, Optional<String> fault) {
    String to = ownPath(wish.getOrDefault("to", "/"));
    var model = new Model(to, fault, byProvider, kit.cookies().isOpenWire(request));
    return kit.templates().page(request, "sign-in", Frame.bare("Sign in", kit.assets()), model);
  }

  /** A path of this server, or its first page. */
  public static String ownPath(String path) {
    boolean own = path.matches("/(?![/\\\\])[^\\s\\\\]*") && path.length() <= MAX_PATH;
    return own ? path : "/";
  }

  private Reply signIn(Request request) {
    FormTokens.demandOrigin(request);
    Map<String, String> form = request.form();
    return sessions
        .withKey(form.getOrDefault("key", "").strip())
        .map(opened -> opened(kit, request, opened, form.getOrDefault("to", "/")))
        .orElseGet(
            () ->
                show(request, form, Optional.of("This key is unknown, has ended or was revoked."))
                    .with(422));
  }

  /** Lets somebody in, and on to where they wanted. */
  static Reply opened(Kit kit, Request request, Sessions.Opened opened, String to) {
    String cookie = kit.cookies().keep(request, opened.secret(), Sessions.LONGEST.toSeconds());
    return Reply.see(ownPath(to)).with(Map.of("Set-Cookie", cookie));
  }

  private Reply account(Visit visit) {
    var visitor = visit.visitor().orElseThrow();
    return visit.page(
        "account",
        visit.frame("You", List.of()),
        new Account(
            visitor.name(),
            visitor.role().label(),
            visit.caller().organization(),
            visitor.isPerson(),
            visitor.expiresAt().toString()));
  }

  private Reply signOut(Visit visit, boolean everywhere) {
    kit.cookies()
        .secret(visit.request())
        .ifPresent(everywhere ? sessions::endEverywhere : sessions::end);
    String forget = kit.cookies().keep(visit.request(), "", 0);
    return Reply.see("/sign-in").with(Map.of("Set-Cookie", forget));
  }
}
