/** Merge queues and pull requests of a running server: the commands queue and pr. */
package dev.mainstay.cli.queue;
