/**
 * Merge queues at work: one door in ({@code QueueRunner}), one door out (the workers), all of it in
 * the database. {@link Queues} is what the rest of the house talks to.
 */
package dev.mainstay.server.queue;
