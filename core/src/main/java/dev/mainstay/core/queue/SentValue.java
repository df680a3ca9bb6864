package dev.mainstay.core.queue;

/**
 * A setting that a client sent with a value which the queue cannot use as it is, and what the queue
 * uses instead; both as JSON. No rule reads it: it is kept for those who must be answered what they
 * sent, for as long as the queue still uses what became of it.
 */
public record SentValue(String setting, String sent, String used) {}
