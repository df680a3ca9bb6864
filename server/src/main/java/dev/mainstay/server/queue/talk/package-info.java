/**
 * Talk with people at the host of a repository: checks and comments that say how a pull request
 * stands, and commands. It goes on beside the queues, which never wait for it. {@link
 * dev.mainstay.server.queue.talk.Talking} is the wiring; every text is in {@code Words}.
 */
package dev.mainstay.server.queue.talk;
