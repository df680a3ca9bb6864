package dev.mainstay.server.report.json;

import dev.mainstay.server.report.RunTeller;

/** A file that lies beside reports and has no results in it, by what it is. */
record BesideReports(String what) implements JsonFormat {
  @Override
  public void read(JsonCursor json, RunTeller teller) {
    teller.ignored(what);
  }

  @Override
  public boolean isReport() {
    return false;
  }
}
