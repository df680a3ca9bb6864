package dev.mainstay.server.queue;

import dev.mainstay.server.node.NodeClock;

/** A clock beside this node's own time: how far it is ahead, and how often it has jumped. */
public record ClockNumbers(String clock, double aheadSeconds, long jumps) {
  static ClockNumbers of(NodeClock.Seen seen) {
    return new ClockNumbers(seen.clock(), seen.ahead().toMillis() / 1000.0, seen.jumps());
  }
}
