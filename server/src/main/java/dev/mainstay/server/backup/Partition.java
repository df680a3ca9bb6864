package dev.mainstay.server.backup;

import java.util.regex.Pattern;

/** A table that holds some rows of another, and which, as PostgreSQL writes that. */
record Partition(String name, String parent, String bound) {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
  private static final Pattern VALUE = Pattern.compile("MINVALUE|MAXVALUE|'[0-9 :.+-]{1,40}'");
  private static final Pattern RANGE =
      Pattern.compile("FOR VALUES FROM \\((%1$s)\\) TO \\((%1$s)\\)".formatted(VALUE));

  /** True where it can only be a partition, whatever somebody has written into a file. */
  boolean isHarmless() {
    return NAME.matcher(name).matches()
        && NAME.matcher(parent).matches()
        && RANGE.matcher(bound).matches();
  }
}
