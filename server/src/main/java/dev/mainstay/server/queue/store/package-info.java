/** The tables of merge queues, and the stored forms of what is in them. */
package dev.mainstay.server.queue.store;
