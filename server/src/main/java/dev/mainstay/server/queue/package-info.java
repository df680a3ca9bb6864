/**
 * Merge queues: everything users do with them, and how they look. {@link
 * dev.mainstay.server.queue.MergeQueues} is the wiring of this half of the house.
 */
package dev.mainstay.server.queue;
