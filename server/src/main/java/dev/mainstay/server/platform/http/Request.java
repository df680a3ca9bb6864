package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A request that has passed the door: its route is known and its key is good for it. */
public final class Request {
  private static final int MAX_PARAMETERS = 200;
  private static final int MAX_FORM_BYTES = 256 * 1024;
  private static final String FORM = "application/x-www-form-urlencoded";

  private final Optional<Caller> caller;
  private final Arrival arrival;
  private final Map<String, String> pathValues;
  private final String rawQuery;
  private final Sent body;

  Request(
      Optional<Caller> caller,
      Arrival arrival,
      Map<String, String> pathValues,
      String rawQuery,
      Sent body) {
    this.caller = caller;
    this.arrival = arrival;
    this.pathValues = pathValues;
    this.rawQuery = rawQuery;
    this.body = body;
  }

  /** The caller; only surfaces that demand a proof of who calls have one. */
  public Caller caller() {
    return caller.orElseThrow();
  }

  /** The fields of the JSON body. */
  public Fields fields() {
    return new Fields(object());
  }

  /** The JSON body as it was sent. */
  public ObjectNode object() {
    try {
      return body.json();
    } catch (Json.Malformed e) {
      throw ApiError.badJson(e.sentence());
    }
  }

  /** The JSON body as it was sent, an object or not. */
  public JsonNode json() {
    try {
      return body.anyJson();
    } catch (Json.Malformed e) {
      throw ApiError.badJson(e.sentence());
    }
  }

  /** The body whatever its type, held in memory until the request is answered. */
  public byte[] bytes() {
    return body.bytes();
  }

  /** The same of a request without a key that has shown its right to send it. */
  public byte[] provenBytes() {
    body.prove();
    return body.bytes();
  }

  /** The fields of a form, as browsers send them; of a repeated one the last. */
  public Map<String, String> form() {
    String type = header("content-type").orElse("");
    if (!type.toLowerCase(Locale.ROOT).startsWith(FORM)) {
      throw ApiError.of(415, "unsupported_media_type", "Send a form as %s.".formatted(FORM));
    }
    byte[] sent = body.bytes();
    if (sent.length > MAX_FORM_BYTES) {
      throw ApiError.of(413, "body_too_large", "A form has at most 256 KiB.");
    }
    var fields = new LinkedHashMap<String, String>();
    pairs(new String(sent, StandardCharsets.UTF_8))
        .forEach(pair -> fields.put(pair.getKey(), pair.getValue()));
    return fields;
  }

  /** The same request, its path read by another pattern; empty where that does not match it. */
  public Optional<Request> as(String pattern) {
    return PathPattern.of(pattern)
        .match(arrival.path())
        .map(values -> new Request(caller, arrival, values, rawQuery, body));
  }

  /** The path as it was sent. */
  public String rawPath() {
    return arrival.path();
  }

  /** The query as it was sent, without its question mark; empty where there is none. */
  public String rawQuery() {
    return rawQuery;
  }

  /** The address by which the client asks. */
  public Origin origin() {
    return arrival.origin();
  }

  public Optional<String> header(String name) {
    return arrival.header(name);
  }

  /** The value of a parameter in the route's path. */
  public String path(String parameter) {
    return Objects.requireNonNull(pathValues.get(parameter), parameter);
  }

  /** The parameters of the query; of a repeated one the last. */
  public Map<String, String> query() {
    var parameters = new LinkedHashMap<String, String>();
    pairs(rawQuery).forEach(pair -> parameters.put(pair.getKey(), pair.getValue()));
    return parameters;
  }

  /** All values of a parameter of the query. */
  public List<String> query(String parameter) {
    return pairs(rawQuery).stream()
        .filter(pair -> pair.getKey().equals(parameter))
        .map(Map.Entry::getValue)
        .toList();
  }

  private static List<Map.Entry<String, String>> pairs(String text) {
    var pairs = new ArrayList<Map.Entry<String, String>>();
    for (String pair : text.split("&", MAX_PARAMETERS)) {
      String[] parts = pair.split("=", 2);
      if (!parts[0].isEmpty()) {
        pairs.add(Map.entry(decoded(parts[0]), parts.length < 2 ? "" : decoded(parts[1])));
      }
    }
    return pairs;
  }

  /** The parameters of the query, to be read as the fields of a body are. */
  public Fields parameters() {
    var node = Json.object();
    query().forEach(node::put);
    return new Fields(node);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiError.of(400, "invalid_query", "A parameter holds a broken percent sign.");
    }
  }
}
