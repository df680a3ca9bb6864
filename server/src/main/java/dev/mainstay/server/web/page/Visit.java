package dev.mainstay.server.web.page;

import dev.mainstay.server.access.Visitor;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Caller;
import dev.mainstay.server.platform.http.Inside;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One look at a page, or one action on it, by somebody whose rights are known. The API is asked in
 * their name. A repository with public pages is looked at without a visitor, with the right to read
 * alone.
 */
public final class Visit {
  private final Request request;
  private final Caller caller;
  private final Optional<Visitor> visitor;
  private final Kit kit;
  private final Optional<String> beat;

  Visit(Request request, Caller caller, Optional<Visitor> visitor, Optional<String> beat, Kit kit) {
    this.request = request;
    this.caller = caller;
    this.visitor = visitor;
    this.beat = beat;
    this.kit = kit;
  }

  public Request request() {
    return request;
  }

  public Caller caller() {
    return caller;
  }

  /** Who looks; nobody on public pages. */
  public Optional<Visitor> visitor() {
    return visitor;
  }

  /** What the repository was at before anything was asked; empty where there is none. */
  String beat() {
    return beat.orElse("");
  }

  String formToken() {
    return kit.formTokens().of(caller);
  }

  public Address address() {
    return new Address(caller.organization());
  }

  /** The repository that the address names. */
  public Repo repo() {
    return Repo.of(request.path("repo")).orElseThrow(Visit::nothingHere);
  }

  public String branch() {
    return request.path("branch");
  }

  /** A number in the address. */
  public int number(String parameter) {
    String text = request.path(parameter);
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw nothingHere();
    }
    return Integer.parseInt(text);
  }

  /** A parameter of the query; empty where it is absent or empty. */
  public Optional<String> query(String name) {
    return Optional.ofNullable(request.query().get(name)).filter(text -> !text.isBlank());
  }

  /** An answer of the API, as far as this type names its fields. */
  public <T> T ask(String path, Map<String, ?> body, Class<T> type) {
    return api().post(caller, path, body, type);
  }

  public Inside api() {
    return kit.api();
  }

  /** Does something, and answers nothing but that it was done. */
  public void act(String path, Map<String, ?> body) {
    api().post(caller, path, body);
  }

  public boolean may(Scope scope) {
    return caller.may(scope);
  }

  private Frame.Rights rights() {
    return new Frame.Rights(visitor.isPresent(), may(Scope.QUEUE), may(Scope.ADMIN));
  }

  /** The frame of a page of the organization itself. */
  public Frame frame(String title, List<Frame.Crumb> crumbs) {
    return frame(title, crumbs, List.of(), Optional.empty());
  }

  /** The frame of the first page, which follows the queues of the organization. */
  public Frame firstFrame() {
    Optional<String> live = beat.map(b -> "/live?seen=" + Address.encoded(b));
    return frame(caller.organization(), List.of(), List.of(), live);
  }

  /** The frame of a page of a repository; {@code here} is the address of its tab. */
  public Frame frame(String title, Repo repo, String here, List<Frame.Crumb> more) {
    var crumbs = new ArrayList<Frame.Crumb>();
    crumbs.add(new Frame.Crumb(repo.text(), address().repository(repo)));
    crumbs.addAll(more);
    String which = Address.encoded(repo.whole());
    Optional<String> live =
        beat.map(b -> "/live?repo=%s&seen=%s".formatted(which, Address.encoded(b)));
    return frame(title, crumbs, tabs(repo, here), live);
  }

  private List<Frame.Tab> tabs(Repo repo, String here) {
    var tabs = new ArrayList<Frame.Tab>();
    tabs.add(tab("Overview", address().repository(repo), here));
    tabs.add(tab("Tests", address().tests(repo), here));
    tabs.add(tab("Uploads", address().uploads(repo), here));
    if (may(Scope.QUEUE)) {
      tabs.add(tab("Settings", address().settings(repo), here));
    }
    return tabs;
  }

  private static Frame.Tab tab(String text, String href, String here) {
    return new Frame.Tab(text, href, href.equals(here));
  }

  private Frame frame(
      String title, List<Frame.Crumb> crumbs, List<Frame.Tab> tabs, Optional<String> live) {
    return new Frame(
        title,
        caller.organization(),
        address(),
        crumbs,
        tabs,
        rights(),
        kit.cookies().isOpenWire(request),
        live.filter(l -> visitor.isPresent()),
        formToken(),
        query("said").flatMap(Notice::sentence),
        kit.assets());
  }

  /** A page drawn by a template of this name. */
  public Reply page(String template, Frame frame, Object model) {
    return kit.templates().page(request, template, frame, model);
  }

  /** Back to a page, which says what was done. */
  public static Reply back(String address, Notice notice) {
    return Reply.see(address + (address.contains("?") ? "&" : "?") + "said=" + notice.word());
  }

  /** The same words whether it is somebody else's or is not there at all. */
  public static ApiError nothingHere() {
    return ApiError.notFound("page_not_found", "There is nothing at this address.");
  }
}
