/** A queue from event to event: proposals in, one transaction at a time out. */
package dev.mainstay.server.queue.run;
