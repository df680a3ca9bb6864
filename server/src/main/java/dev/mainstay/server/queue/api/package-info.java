/** Merge queues over HTTP. */
package dev.mainstay.server.queue.api;
