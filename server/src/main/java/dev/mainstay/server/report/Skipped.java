package dev.mainstay.server.report;

/**
 * Something that was not read, and why. Line 0 is the file as a whole. {@code lossy} says that
 * results are missing which the sender meant to send, so that no verdict can lean on the rest.
 */
public record Skipped(String file, int line, String reason, boolean lossy) {}
