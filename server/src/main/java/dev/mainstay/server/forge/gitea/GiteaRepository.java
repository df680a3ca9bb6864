package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.forge.rest.RestClient;
import dev.mainstay.server.platform.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The part of the API that is about one repository. */
record GiteaRepository(RestClient rest, GiteaPlace place) {
  private static final int PAGE = 50;
  private static final int MOST_PAGES = 200;

  /** Empty where there is no such thing in the repository. */
  Optional<JsonNode> find(String path) {
    Answer answer = rest.get(place.path() + path);
    if (answer.status() == 404) {
      checkThere();
      return Optional.empty();
    }
    return Optional.of(good(answer));
  }

  /** What must be there. */
  Answer get(String path) {
    Answer answer = rest.get(place.path() + path);
    good(answer);
    return answer;
  }

  /** Whatever the answer is. */
  Answer call(String path) {
    return rest.get(place.path() + path);
  }

  JsonNode itself() {
    return get("").json();
  }

  /** Changes something, whatever the answer is. */
  Answer call(String method, String path, Map<String, ?> body) {
    ObjectNode json = Json.object();
    body.forEach((name, value) -> json.putPOJO(name, value));
    return rest.send(method, place.path() + path, json);
  }

  /** Changes something; the answer must be that it is done. */
  JsonNode change(String method, String path, Map<String, ?> body) {
    return good(call(method, path, body));
  }

  /** The answer, which must be good. */
  JsonNode good(Answer answer) {
    if (answer.status() == 404) {
      checkThere();
    }
    if (!answer.ok()) {
      throw new ForgeUnavailable(
          "The host of %s answers with status %d: %s"
              .formatted(place, answer.status(), answer.words()));
    }
    return answer.json();
  }

  /** A host answers the same for what is not there and for what one may not see. */
  private void checkThere() {
    if (rest.get(place.path()).status() == 404) {
      throw new ForgeUnavailable(
          "The repository %s is not there, or the token is of somebody who may not see it."
              .formatted(place));
    }
  }

  /**
   * Goes through a list over its pages, until one is not wanted any more. A page may be shorter
   * than was asked for: the number of all tells whether it was the last.
   */
  void each(String path, Predicate<JsonNode> wanted) {
    each(path, true, wanted);
  }

  /** The same of a list whose number is told for each page alone: the last one is empty. */
  void eachUncounted(String path, Predicate<JsonNode> wanted) {
    each(path, false, wanted);
  }

  private void each(String path, boolean counted, Predicate<JsonNode> wanted) {
    long read = 0;
    for (int page = 1; page <= MOST_PAGES; page++) {
      String mark = path.contains("?") ? "&" : "?";
      Answer answer = get("%s%slimit=%d&page=%d".formatted(path, mark, PAGE, page));
      for (JsonNode one : answer.json()) {
        if (!wanted.test(one)) {
          return;
        }
        read++;
      }
      if (answer.json().isEmpty() || (counted && total(answer) <= read)) {
        return;
      }
    }
  }

  private static long total(Answer answer) {
    return answer
        .header("x-total-count")
        .filter(total -> total.matches("\\d{1,9}"))
        .map(Long::parseLong)
        .orElse(Long.MAX_VALUE);
  }

  static String pull(PullRequestRef pr) {
    return "/pulls/" + pr.number();
  }

  /** A part of a path, such as a branch; slashes are part of it. */
  static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
