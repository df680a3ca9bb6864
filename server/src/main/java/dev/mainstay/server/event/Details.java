package dev.mainstay.server.event;

import dev.mainstay.server.platform.FactStore;
import tools.jackson.databind.node.ObjectNode;

/** What other rooms know of a fact, and what can be read after it became true. */
public interface Details {
  /** Adds to what is said of a fact. */
  void add(FactStore.Row fact, ObjectNode data);
}
