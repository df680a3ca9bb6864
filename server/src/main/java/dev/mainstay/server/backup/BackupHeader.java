package dev.mainstay.server.backup;

import java.time.Instant;
import java.util.List;

/**
 * What a backup says of itself before its rows: the Mainstay and the PostgreSQL it is of, when it
 * was, how many tables follow, the number of the newest migration and its script, and the
 * partitions that no migration makes.
 */
public record BackupHeader(
    String version,
    String postgres,
    Instant madeAt,
    int schema,
    String script,
    int tables,
    List<Partition> partitions) {
  public BackupHeader {
    partitions = List.copyOf(partitions);
  }
}
