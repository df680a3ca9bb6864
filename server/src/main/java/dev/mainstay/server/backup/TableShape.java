package dev.mainstay.server.backup;

import java.util.List;

/** A table, and its columns in the order of their names. */
record TableShape(String name, List<String> columns) {
  TableShape {
    columns = List.copyOf(columns);
  }
}
