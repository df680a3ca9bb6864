package dev.mainstay.core.queue;

/** Why: a code for programs and a sentence for people. */
public record Reason(ReasonCode code, String sentence) {}
