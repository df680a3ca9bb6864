package dev.mainstay.core.health;

/**
 * The identity of a test, which stays from one run to the next. A part that is missing is empty.
 */
public record TestIdentity(
    String file, String className, String parent, String name, String variant) {}
