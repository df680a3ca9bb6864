package dev.mainstay.server.forge.github;

import dev.mainstay.server.platform.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** Lists are answered a page at a time, and the Link header names the next. */
record FakePages(String url, int page, int size) {
  /** A list inside of an object, with its length and what else is there. */
  record Named(String name, List<ObjectNode> all, ObjectNode around) {
    Named(String name, List<ObjectNode> all) {
      this(name, all, Json.object());
    }
  }

  /** A list of which only a page is given its shape. */
  record Shaped<T>(List<T> all, Function<T, ObjectNode> shape) {
    private List<ObjectNode> part(FakePages pages) {
      return pages.part(all).stream().map(shape).toList();
    }
  }

  /** A page, and the header that leads on. */
  record Page(Object json, Optional<String> link) {}

  static final int MOST = 100;

  static FakePages of(String path, FakeRoute.Call call) {
    int size = Math.min(MOST, call.query("per_page", 30));
    return new FakePages(path, call.query("page", 1), size);
  }

  Page page(Object json) {
    return switch (json) {
      case List<?> list -> new Page(part(list), link(list.size()));
      case Shaped<?> shaped -> new Page(shaped.part(this), link(shaped.all().size()));
      case Named(String name, List<ObjectNode> all, ObjectNode around) -> {
        ObjectNode object = around.put("total_count", all.size());
        var array = object.putArray(name);
        part(all).forEach(array::add);
        yield new Page(object, link(all.size()));
      }
      default -> new Page(json, Optional.empty());
    };
  }

  private <T> List<T> part(List<T> all) {
    int from = Math.min(all.size(), (page - 1) * size);
    return all.subList(from, Math.min(all.size(), from + size));
  }

  private Optional<String> link(int length) {
    if (page * size >= length) {
      return Optional.empty();
    }
    String bare = url.replaceFirst("([?&])page=\\d+&?", "$1").replaceFirst("[?&]$", "");
    String joint = bare.contains("?") ? "&" : "?";
    int last = (length + size - 1) / size;
    return Optional.of(
        "<%s%spage=%d>; rel=\"next\", <%s%spage=%d>; rel=\"last\""
            .formatted(bare, joint, page + 1, bare, joint, last));
  }
}
