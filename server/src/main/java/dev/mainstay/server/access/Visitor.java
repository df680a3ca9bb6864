package dev.mainstay.server.access;

import dev.mainstay.server.platform.http.Caller;
import java.time.Instant;
import java.util.UUID;

/**
 * Somebody who looks at pages within a session: a key or a person, and what they may do. The id of
 * the session is no secret; the caller's key is the person's id where there is no key.
 */
public record Visitor(
    UUID sessionId, Caller caller, Role role, String name, boolean isPerson, Instant expiresAt) {}
