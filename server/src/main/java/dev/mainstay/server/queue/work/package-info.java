/** The workers of merge queues: they do what queues ask for, and tell queues what happened. */
package dev.mainstay.server.queue.work;
