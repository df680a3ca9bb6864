package dev.mainstay.server.health;

import dev.mainstay.server.health.test.TestRow;
import java.util.Optional;

/** A test as those see it who are told of it; the rate and the pull requests are of a week. */
public record TestView(
    TestRow row,
    boolean quarantined,
    double failureRate,
    int pullRequests,
    Optional<String> ticketUrl) {}
