package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.health.ingest.UploadAnswer.Collision;
import dev.mainstay.server.health.ingest.UploadAnswer.Counts;
import dev.mainstay.server.health.ingest.UploadAnswer.Skip;
import dev.mainstay.server.health.ingest.UploadAnswer.Unread;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.repository.Repository;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** Puts the answer to an upload together. */
final class Answers {
  private Answers() {}

  /** The part that only the database knows. */
  record Stored(
      boolean setAside, int retried, int newTests, List<UUID> failed, Set<UUID> quarantined) {}

  static ObjectNode of(Repository repository, Upload upload, UploadBatch batch, Stored stored) {
    return Json.tree(
        new UploadAnswer(
            upload.publicId(),
            false,
            repository.name().toString(),
            upload.branchClass().name().toLowerCase(Locale.ROOT),
            stored.setAside(),
            counts(upload, batch, stored),
            batch.gaps.skips.stream().map(s -> new Skip(s.file(), s.line(), s.reason())).toList(),
            batch.gaps.skipCount(),
            batch.gaps.ignored.stream().map(i -> new Unread(i.file(), i.reason())).toList(),
            batch.collisions.stream()
                .map(c -> new Collision(c.id(), c.name(), c.classname(), c.file()))
                .toList(),
            batch.collided(),
            Verdicts.of(batch, stored.failed(), stored.quarantined())));
  }

  private static Counts counts(Upload upload, UploadBatch batch, Stored stored) {
    return new Counts(
        upload.files(),
        batch.tally.tests(),
        batch.read(),
        batch.count(Outcome.PASSED),
        batch.count(Outcome.FAILED),
        batch.count(Outcome.ERRORED),
        batch.count(Outcome.SKIPPED),
        stored.retried(),
        stored.newTests());
  }
}
