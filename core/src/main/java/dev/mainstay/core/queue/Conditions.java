package dev.mainstay.core.queue;

/** All of a queue that decides who may come in and who must go: its own part of readiness. */
public record Conditions(
    QueueLifecycle lifecycle,
    String branch,
    boolean connected,
    boolean hasMustPass,
    boolean needsTargets,
    boolean knowsHead,
    boolean hasTarget) {}
