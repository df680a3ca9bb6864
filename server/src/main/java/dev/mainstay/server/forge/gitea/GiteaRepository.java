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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The part of the API that is about one repository. */
record GiteaRepository(RestClient rest, GiteaPlace place) {
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

  static String pull(PullRequestRef pr) {
    return "/pulls/" + pr.number();
  }

  /** A part of a path, such as a branch; slashes are part of it. */
  static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
