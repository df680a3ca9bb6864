package dev.mainstay.server.forge;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * The repository that a call of a hook claims to be of, as its host writes it ({@code owner/name}),
 * the App that was told of it, and whether a secret proves the call. An App is also told of what is
 * no repository's: the path is empty then.
 */
public record HookClaim(String path, Optional<String> app, Predicate<String> provenBy) {}
