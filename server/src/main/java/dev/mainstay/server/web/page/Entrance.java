package dev.mainstay.server.web.page;

import dev.mainstay.server.access.Sessions;
import dev.mainstay.server.access.Visitor;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Where visitors come in: by their session, or as anybody where a repository's pages are public.
 * Whoever is neither is sent to sign in, whether there is anything at the address or not.
 */
public final class Entrance {
  private static final String OF_ORGANIZATION = "/{org}";
  private static final String FIRST = "/";

  private final Kit kit;
  private final Sessions sessions;
  private final PublicPages publicPages;
  private final Beats beats;
  private final Drawn drawn = new Drawn();

  /** Which repositories anybody may look at, and in whose name. */
  public interface PublicPages {
    Optional<Caller> reader(String organization, Repo repo);
  }

  public Entrance(Kit kit, Sessions sessions, PublicPages publicPages, Pulse pulse) {
    this.kit = kit;
    this.beats = new Beats(pulse);
    this.sessions = sessions;
    this.publicPages = publicPages;
  }

  /** A page. Its path may name the organization, which must be the visitor's. */
  public Route page(String path, Function<Visit, Reply> draw) {
    return Route.get(
        path, request -> visit(request, path).map(draw).orElseGet(() -> toSignIn(request)));
  }

  /**
   * A page that shows only what a beat of its repository tells, or of the organization's queues:
   * drawn once for all who may see the same, until something there changes.
   */
  public Route shared(String path, Function<Visit, Reply> draw) {
    return page(path, visit -> drawn.of(visit, draw));
  }

  /** An action, sent by a form of ours. */
  public Route action(String path, BiFunction<Visit, Form, Reply> act) {
    return Route.post(
        path,
        request -> {
          Optional<Visitor> visitor = visitor(request);
          if (visitor.isEmpty()) {
            return Reply.see("/sign-in");
          }
          Caller caller = visitor.get().caller();
          Map<String, String> fields = request.form();
          kit.formTokens().demand(request, caller, fields);
          if (path.startsWith(OF_ORGANIZATION) && !caller.isOf(request.path("org"))) {
            throw Visit.nothingHere();
          }
          // Nobody can look at the answer to a form again, so it does not follow what happens.
          var visit = new Visit(request, caller, visitor, Optional.empty(), kit);
          return act.apply(visit, new Form(fields));
        });
  }

  /** The frame of a page that is open to everybody, as it is for whoever asks. */
  public Frame openFrame(Request request, String title, List<Frame.Crumb> crumbs) {
    return visitor(request)
        .map(v -> new Visit(request, v.caller(), Optional.of(v), Optional.empty(), kit))
        .map(visit -> visit.frame(title, crumbs))
        .orElseGet(() -> Frame.bare(title, crumbs, kit.assets()));
  }

  private static Reply toSignIn(Request request) {
    String query = request.rawQuery().isEmpty() ? "" : "?" + request.rawQuery();
    return Reply.see("/sign-in?to=" + Address.encoded(request.rawPath() + query));
  }

  /** Empty for strangers; somebody of another organization finds nothing. */
  private Optional<Visit> visit(Request request, String path) {
    boolean ofOne = path.startsWith(OF_ORGANIZATION);
    Optional<Visitor> visitor = visitor(request);
    if (visitor.isPresent() && (!ofOne || visitor.get().caller().isOf(request.path("org")))) {
      return Optional.of(visit(request, path, visitor.get().caller(), visitor));
    }
    Optional<Visit> reader =
        repository(request, path)
            .flatMap(repo -> publicPages.reader(request.path("org"), repo))
            .map(caller -> visit(request, path, caller, Optional.empty()));
    if (reader.isEmpty() && visitor.isPresent()) {
      throw Visit.nothingHere();
    }
    return reader;
  }

  private Visit visit(Request request, String path, Caller caller, Optional<Visitor> visitor) {
    Optional<Repo> repo = repository(request, path);
    String beat =
        repo.isPresent() || path.equals(FIRST)
            ? beats.now(new Pulse.Topic(caller.organizationId(), repo))
            : "";
    return new Visit(request, caller, visitor, Optional.of(beat), kit);
  }

  private static Optional<Repo> repository(Request request, String path) {
    return path.contains("{repo...}") ? Repo.of(request.path("repo")) : Optional.empty();
  }

  /** Whoever holds the session of this request. */
  public Optional<Visitor> visitor(Request request) {
    return kit.cookies().secret(request).flatMap(sessions::find);
  }
}
