package dev.mainstay.server.web.page;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A repository as addresses of pages name it: {@code HOST/OWNER/NAME}, where owners may nest. */
public record Repo(String host, String owner, String name) {

  /** Read from the right: the last part is the name, the first the host. */
  public static Optional<Repo> of(String path) {
    List<String> parts = List.of(path.split("/", -1));
    if (parts.size() < 3 || parts.contains("")) {
      return Optional.empty();
    }
    String owner = String.join("/", parts.subList(1, parts.size() - 1));
    return Optional.of(new Repo(parts.getFirst(), owner, parts.getLast()));
  }

  /** As the API names it. */
  public Map<String, String> asked() {
    return Map.of("host", host, "owner", owner, "name", name);
  }

  public String text() {
    return owner + "/" + name;
  }

  public String whole() {
    return host + "/" + owner + "/" + name;
  }
}
