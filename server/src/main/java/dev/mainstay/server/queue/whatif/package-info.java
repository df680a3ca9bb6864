/** What other settings and policies would have made of a queue's own past. */
package dev.mainstay.server.queue.whatif;
