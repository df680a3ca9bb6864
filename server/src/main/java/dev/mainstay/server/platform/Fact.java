package dev.mainstay.server.platform;

import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/**
 * A fact that became true in a transaction and that somebody outside may want to hear of. Facts of
 * one subject are told in order; {@code content} is what only that moment knows.
 */
public record Fact(String kind, String subject, Instant at, ObjectNode content) {}
