package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.server.health.result.UploadOrigin;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An upload beside its rows.
 *
 * @param queued the pull requests that the branch of a merge queue is known to hold
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Upload(
    long id,
    UUID publicId,
    byte[] key,
    UploadOrigin about,
    BranchClass branchClass,
    List<Integer> queued,
    Instant receivedAt,
    int files,
    Optional<String> codeOwners) {}
