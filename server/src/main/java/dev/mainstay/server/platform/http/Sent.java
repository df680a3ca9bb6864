package dev.mainstay.server.platform.http;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The body of a request, wherever it comes from. */
interface Sent {
  /** The JSON object it holds; a fault of its form is an {@link ApiError}. */
  ObjectNode json();

  /** The JSON value it holds, whatever it is. */
  JsonNode anyJson();

  byte[] bytes();

  /** Whoever sends it has shown a right to: a key, or an address that we gave out. */
  void prove();
}
