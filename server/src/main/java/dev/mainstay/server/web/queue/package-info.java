/** Pages of merge queues: the first page, a repository, a queue, a pull request, a test run. */
package dev.mainstay.server.web.queue;
