package dev.mainstay.server.forge.gitlab;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.forge.rest.RestClient;
import dev.mainstay.server.platform.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The part of the API that is about one project. It is asked for by its number, which stays when
 * the project is moved: by its old path only questions are answered then, and changes are refused
 * with the status of what may not be merged.
 */
final class GitLabProject {
  private static final String ITSELF = "itself";

  /** GitLab allows 400 questions a minute for projects themselves. */
  private static final Duration REMEMBERED = Duration.ofMinutes(1);

  private final RestClient rest;
  private final GitLabPlace place;
  private final AtomicLong number = new AtomicLong();
  private final Cache<String, JsonNode> known =
      Caffeine.newBuilder().expireAfterWrite(REMEMBERED).maximumSize(1).build();

  GitLabProject(RestClient rest, GitLabPlace place) {
    this.rest = rest;
    this.place = place;
  }

  RestClient rest() {
    return rest;
  }

  GitLabPlace place() {
    return place;
  }

  /** The project as it is now. */
  JsonNode itself() {
    String path = number.get() > 0 ? "/projects/" + number.get() : place.byPath();
    Answer answer = rest.get(path);
    if (answer.status() == 404) {
      throw missing();
    }
    JsonNode itself = good(answer);
    long id = itself.path("id").asLong(0);
    if (id <= 0) {
      throw new ForgeUnavailable("The host of %s shows no number of it.".formatted(place));
    }
    number.set(id);
    known.put(ITSELF, itself);
    return itself;
  }

  /** The project as it was a moment ago. */
  JsonNode lately() {
    JsonNode last = known.getIfPresent(ITSELF);
    return last == null ? itself() : last;
  }

  /** The path that the project has by now, where it was moved; as far as that was seen. */
  Optional<String> movedTo() {
    return Optional.ofNullable(known.getIfPresent(ITSELF))
        .map(itself -> HostJson.text(itself.path("path_with_namespace"), 2000))
        .filter(path -> !path.isEmpty() && !path.equalsIgnoreCase(place.path()));
  }

  long id() {
    if (number.get() == 0) {
      itself();
    }
    return number.get();
  }

  private String at(String path) {
    return "/projects/" + id() + path;
  }

  /** Empty where there is no such thing in the project. */
  Optional<JsonNode> find(String path) {
    Answer answer = rest.get(at(path));
    if (answer.status() == 404) {
      itself();
      return Optional.empty();
    }
    return Optional.of(good(answer));
  }

  /** The same, empty as well where we may not see it. */
  Optional<JsonNode> findVisible(String path) {
    try {
      return find(path);
    } catch (CredentialsRefused e) {
      return Optional.empty();
    }
  }

  /** What must be there. */
  JsonNode get(String path) {
    return good(rest.get(at(path)));
  }

  /** Everything of a list over its pages, at most so many. */
  List<JsonNode> all(String path, int most) {
    return rest.all(at(path), most);
  }

  /** The same of a list that belongs to something; none where that is gone. */
  List<JsonNode> some(String path, int most, UnaryOperator<JsonNode> part) {
    Optional<List<JsonNode>> found = rest.find(at(path), most, part);
    if (found.isEmpty()) {
      itself();
    }
    return found.orElse(List.of());
  }

  /** Changes something, whatever the answer is. */
  Answer call(String method, String path, Map<String, ?> body) {
    ObjectNode json = Json.object();
    body.forEach((name, value) -> json.putPOJO(name, value));
    return rest.send(method, at(path), json);
  }

  /** Changes something; the answer must be that it is done. */
  JsonNode change(String method, String path, Map<String, ?> body) {
    return good(call(method, path, body));
  }

  private JsonNode good(Answer answer) {
    if (answer.status() == 404) {
      itself();
    }
    if (!answer.ok()) {
      throw new ForgeUnavailable(
          "The host of %s answers with status %d: %s"
              .formatted(place, answer.status(), words(answer)));
    }
    return answer.json();
  }

  /** GitLab's words are in one of two places, and sometimes a list or an object. */
  static String words(Answer answer) {
    JsonNode json = answer.json();
    JsonNode said = json.has("message") ? json.path("message") : json.path("error");
    String text = said.isString() ? said.asString() : said.toString();
    return HostJson.cut(text.replaceAll("\\p{Cntrl}+", " ").strip(), 200);
  }

  /** A host answers the same for what is not there and for what one may not see. */
  private ForgeUnavailable missing() {
    return new ForgeUnavailable(
        "The project %s is not there, or the token is of somebody who may not see it."
            .formatted(place));
  }

  static String request(PullRequestRef pr) {
    return "/merge_requests/" + pr.number();
  }
}
