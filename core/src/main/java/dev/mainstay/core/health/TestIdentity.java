package dev.mainstay.core.health;

/** What makes a test the same test from one run to the next. What is missing is empty. */
public record TestIdentity(
    String file, String className, String parent, String name, String variant) {}
