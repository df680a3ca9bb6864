package dev.mainstay.server.mcp;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.platform.http.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An argument that a tool takes: how it is described, and how it is read. */
record Parameter(String name, Kind kind, boolean required, String description) {

  /** What an argument may be. */
  sealed interface Kind {
    Kind REPO = new Repo();
    Kind FLAG = new Flag();
    Kind TEST_ID = new Id();
    Kind TIME = new Time();
  }

  record Text(int longest) implements Kind {}

  record Whole(int least, int most) implements Kind {}

  record Choice(List<String> words) implements Kind {}

  private record Repo() implements Kind {}

  private record Flag() implements Kind {}

  private record Id() implements Kind {}

  private record Time() implements Kind {}

  static Parameter required(String name, Kind kind, String description) {
    return new Parameter(name, kind, true, description);
  }

  static Parameter optional(String name, Kind kind, String description) {
    return new Parameter(name, kind, false, description);
  }

  /** Its JSON Schema. */
  Map<String, Object> schema() {
    var schema = new LinkedHashMap<String, Object>();
    switch (kind) {
      case Text(int longest) -> schema.putAll(text(longest));
      case Repo() -> schema.putAll(text(RepoName.MAX_LENGTH));
      case Whole(int least, int most) ->
          schema.putAll(Map.of("type", "integer", "minimum", least, "maximum", most));
      case Choice(List<String> words) -> schema.putAll(Map.of("type", "string", "enum", words));
      case Flag() -> schema.put("type", "boolean");
      case Id() -> schema.putAll(Map.of("type", "string", "format", "uuid"));
      case Time() -> schema.putAll(Map.of("type", "string", "format", "date-time"));
    }
    schema.put("description", description);
    return schema;
  }

  private static Map<String, Object> text(int longest) {
    return Map.of("type", "string", "minLength", 1, "maxLength", longest);
  }

  /** Its value in the words of the API; what is wrong with it the fields remember. */
  Optional<Object> read(Fields in) {
    if (required && !in.has(name)) {
      in.fault(name, "is required");
    }
    return switch (kind) {
      case Text(int longest) -> in.optionalText(name, longest).map(v -> v);
      case Whole(int least, int most) -> in.optionalInteger(name, least, most).map(v -> v);
      case Choice(List<String> words) -> in.optionalChoice(name, words, w -> w).map(v -> v);
      case Flag() -> in.optionalFlag(name).map(v -> v);
      case Id() -> in.optionalUuid(name).map(Object::toString);
      case Time() -> in.optionalTime(name).map(Object::toString);
      case Repo() -> in.optionalText(name, RepoName.MAX_LENGTH).flatMap(text -> repo(in, text));
    };
  }

  private Optional<Object> repo(Fields in, String text) {
    Optional<RepoName> repo = RepoName.parse(text);
    if (repo.isEmpty()) {
      in.fault(name, "must be HOST/OWNER/NAME, such as github.com/acme/shop");
    }
    return repo.map(r -> Map.of("host", r.host(), "owner", r.owner(), "name", r.name()));
  }
}
