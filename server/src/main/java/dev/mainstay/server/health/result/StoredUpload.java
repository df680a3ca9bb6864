package dev.mainstay.server.health.result;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** An upload as it is stored, with as much of its answer as was asked for. */
public record StoredUpload(
    UUID publicId,
    Instant receivedAt,
    String branch,
    String commit,
    Optional<Integer> pullRequest,
    String job,
    String variant,
    Optional<String> ciUrl,
    int attempt,
    boolean setAside,
    ObjectNode answer) {}
