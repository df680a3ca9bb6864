package dev.mainstay.server.event;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.http.Fields;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a request says of an endpoint. */
final class WebhookFields {
  private static final int MAX_NAME = 100;
  private static final int MAX_URL = 2000;
  private static final int MOST_REPOS = 100;
  private static final URI NOWHERE = URI.create("http://invalid/");

  private WebhookFields() {}

  static Optional<String> name(Fields in) {
    return in.optionalText("name", MAX_NAME);
  }

  static URI url(Fields in) {
    return address(in, in.text("url", MAX_URL));
  }

  static Optional<URI> optionalUrl(Fields in) {
    return in.optionalText("url", MAX_URL).map(text -> address(in, text));
  }

  private static URI address(Fields in, String text) {
    try {
      URI uri = new URI(text);
      boolean isHttp =
          "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
      if (isHttp
          && uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawFragment() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Said below, as any other fault of an address.
    }
    if (!text.isEmpty()) {
      in.fault("url", "must be an http or https address without a user or a fragment");
    }
    return NOWHERE;
  }

  static Optional<Format> format(Fields in) {
    return in.optionalChoice("format", Format.ALL, Format::label);
  }

  /**
   * Kinds by their names; {@code pull_request.*} and the like, and {@code *}, stand for several.
   */
  static Optional<List<String>> kinds(Fields in) {
    Optional<List<List<EventKind>>> asked =
        in.optionalList(
            "kinds", EventKind.values().length, WebhookFields::named, "kinds of events");
    if (asked.filter(List::isEmpty).isPresent()) {
      in.fault("kinds", "must name at least one kind");
    }
    return asked.map(lists -> labels(lists.stream().flatMap(List::stream).distinct().toList()));
  }

  private static Optional<List<EventKind>> named(String text) {
    if (text.equals("*")) {
      return Optional.of(EventKind.usual(Format.STANDARD));
    }
    return text.endsWith(".*")
        ? Optional.of(EventKind.family(text.substring(0, text.length() - 1)))
            .filter(kinds -> !kinds.isEmpty())
        : EventKind.of(text).map(List::of);
  }

  static List<String> labels(List<EventKind> kinds) {
    return Arrays.stream(EventKind.values()).filter(kinds::contains).map(EventKind::label).toList();
  }

  /** Some kinds are told in one format only. */
  static void checkWords(Fields in, List<String> kinds, Format format) {
    kinds.stream()
        .flatMap(kind -> EventKind.of(kind).stream())
        .filter(kind -> !kind.isIn(format))
        .findFirst()
        .ifPresent(
            kind ->
                in.fault(
                    "kinds", "has %s, which only the format trunk has".formatted(kind.label())));
    in.check();
  }

  static Optional<List<String>> repos(Fields in) {
    return in.optionalList(
        "repos",
        MOST_REPOS,
        text -> RepoName.parse(text).map(RepoName::key),
        "repositories such as github.com/acme/shop");
  }
}
