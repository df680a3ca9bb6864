package dev.mainstay.server.web.page;

import dev.mainstay.server.platform.Sha256;
import dev.mainstay.server.platform.http.ApiError;
import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import dev.mainstay.server.platform.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Style, script and icon of the pages, from the class path: the same for all nodes of a process. An
 * address holds a hash of the content, so that browsers may keep what is there for ever.
 */
public final class Assets {
  private static final String TURBO =
      "/META-INF/resources/webjars/hotwired__turbo/8.0.21/dist/turbo.es2017-umd.js";
  private static final int HASH_BYTES = 6;

  private final Map<String, Asset> byName = new LinkedHashMap<>();

  private record Asset(String hash, Packed content) {}

  /** Read and packed when the first one asks. */
  private static final class Carried {
    static final Assets ALL = new Assets();
  }

  private Assets() {
    add(
        "style.css",
        "text/css; charset=utf-8",
        "base.css",
        "graph.css",
        "plot.css",
        "tests.css",
        "docs.css",
        "settings.css");
    add("app.js", "text/javascript; charset=utf-8", "app.js", "graph.js");
    add("theme.js", "text/javascript; charset=utf-8", "theme.js");
    add("turbo.js", "text/javascript; charset=utf-8", TURBO);
    add("icon.svg", "image/svg+xml", "icon.svg");
  }

  public static Assets carried() {
    return Carried.ALL;
  }

  private void add(String name, String type, String... sources) {
    var text = new StringBuilder();
    for (String source : sources) {
      text.append(read(source.startsWith("/") ? source : "/web/" + source)).append('\n');
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    byName.put(
        name,
        new Asset(
            HexFormat.of().formatHex(Sha256.of(bytes), 0, HASH_BYTES), Packed.well(type, bytes)));
  }

  private static String read(String resource) {
    try (InputStream in = Assets.class.getResourceAsStream(resource)) {
      return new String(
          Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The address of a file as it is now. */
  public String path(String name) {
    return "/assets/%s/%s".formatted(asset(name).hash(), name);
  }

  private Asset asset(String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }

  public List<Route> routes() {
    return List.of(Route.get("/assets/{hash}/{name}", this::serve));
  }

  private Reply serve(Request request) {
    Asset asset = byName.get(request.path("name"));
    if (asset == null || !asset.hash().equals(request.path("hash"))) {
      throw ApiError.notFound("asset_not_found", "There is no such file; reload the page.");
    }
    return asset
        .content()
        .reply(request)
        .with(Map.of("Cache-Control", "public, max-age=31536000, immutable"));
  }
}
