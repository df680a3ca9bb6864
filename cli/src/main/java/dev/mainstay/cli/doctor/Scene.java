package dev.mainstay.cli.doctor;

import dev.mainstay.server.Storage;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.queue.MergeQueues;
import java.time.Instant;
import java.util.List;

/** A database whose tables can be read, and the rooms that read them. */
record Scene(Storage storage, MergeQueues rooms) {
  /** So many of one kind are named; of the others, how many there are. */
  static final int MOST_NAMED = 20;

  Access access() {
    return new Access(storage.database(), storage.clock());
  }

  List<Organization> organizations() {
    return access().organizations();
  }

  Instant now() {
    return storage.clock().instant();
  }
}
