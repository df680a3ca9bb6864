package dev.mainstay.server.forge;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The requests of this node to the host of one repository since it was opened: all, and those that
 * were answered by "nothing new", which are free at some hosts. {@code limit} and {@code remaining}
 * are the host's own words about all that the account may ask; by {@code ahead} its clock is ahead
 * of ours, as its answers tell.
 */
public record HostUsage(
    long requests, long unchanged, OptionalLong limit, OptionalLong remaining, Duration ahead) {}
