package dev.mainstay.server.forge;

import java.util.function.Predicate;

/**
 * The repository that a call of a hook claims to be of, as its host writes it ({@code owner/name}),
 * and whether a secret proves the call.
 */
public record HookClaim(String path, Predicate<String> provenBy) {}
