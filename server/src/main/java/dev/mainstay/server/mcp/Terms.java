package dev.mainstay.server.mcp;

import dev.mainstay.server.platform.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * On which terms a message is sent: the revision of the protocol it is written in. Since 2026-07-28
 * a message says that itself, and headers repeat what is in it for those who pass it on; one whose
 * headers say something else is refused. Before, a header says it, or nobody does.
 */
sealed interface Terms {
  String META = "io.modelcontextprotocol/";
  String VERSION_HEADER = "MCP-Protocol-Version";

  record Known(Revision revision) implements Terms {}

  record Refused(RpcError error) implements Terms {}

  static Terms of(Request request, Message.Call call) {
    JsonNode meta = call.params().path("_meta");
    Optional<String> header = request.header(VERSION_HEADER);
    Optional<String> said = meta.path(META + "protocolVersion").asStringOpt();
    Optional<String> unknown = said.or(() -> header).filter(date -> Revision.of(date).isEmpty());
    if (unknown.isPresent()) {
      return unknown(unknown.get());
    }
    if (said.isPresent() && !said.equals(header)) {
      return mismatch(VERSION_HEADER, said.get());
    }
    Revision revision = header.flatMap(Revision::of).orElse(Revision.OF_2025_03);
    return revision.isWithoutHandshake()
        ? whole(request, call, meta, revision)
        : new Known(revision);
  }

  /** A notice has no terms but the header. */
  static Optional<RpcError> fault(Request request) {
    return request
        .header(VERSION_HEADER)
        .filter(date -> Revision.of(date).isEmpty())
        .map(date -> unknown(date).error());
  }

  private static Terms whole(Request request, Message.Call call, JsonNode meta, Revision revision) {
    for (String field : List.of("protocolVersion", "clientCapabilities")) {
      if (!meta.has(META + field)) {
        return new Refused(
            RpcError.of(
                RpcError.WRONG_PARAMETERS, "params._meta must hold %s%s.".formatted(META, field)));
      }
    }
    if (!request.header("Mcp-Method").equals(Optional.of(call.method()))) {
      return mismatch("Mcp-Method", call.method());
    }
    Optional<String> name =
        call.params().path("name").asStringOpt().filter(n -> call.method().equals("tools/call"));
    return name.isPresent() && !request.header("Mcp-Name").map(Terms::decoded).equals(name)
        ? mismatch("Mcp-Name", name.get())
        : new Known(revision);
  }

  /** A value that no header could hold comes in Base64. */
  private static String decoded(String value) {
    if (!value.startsWith("=?base64?") || !value.endsWith("?=")) {
      return value;
    }
    try {
      String inside = value.substring("=?base64?".length(), value.length() - "?=".length());
      return new String(Base64.getDecoder().decode(inside), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      return value;
    }
  }

  private static Refused mismatch(String header, String said) {
    return new Refused(
        RpcError.of(
            RpcError.OTHER_HEADERS,
            "The header %s must say what the message says: %s".formatted(header, Texts.cut(said))));
  }

  private static Refused unknown(String date) {
    return new Refused(
        new RpcError(
            RpcError.UNKNOWN_REVISION,
            "This revision of the protocol is not spoken here; use one of "
                + String.join(", ", Revision.dates()),
            Map.of("supported", Revision.dates(), "requested", Texts.cut(date))));
  }
}
