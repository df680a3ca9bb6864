package dev.mainstay.core.health;

import java.util.UUID;

/** One monitor of a repository. */
public record MonitorId(UUID value) {}
