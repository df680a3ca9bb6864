package dev.mainstay.server.web.graph;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Of all that somebody stands on, those that no other of them stands on already. */
final class Nearest {
  private Nearest() {}

  /** Each place names earlier places only. */
  static List<List<Integer>> of(List<BitSet> below) {
    var reach = new ArrayList<BitSet>();
    var nearest = new ArrayList<List<Integer>>();
    for (BitSet places : below) {
      var reached = new BitSet();
      var kept = new ArrayList<Integer>();
      for (int place = places.length() - 1; place >= 0; place = places.previousSetBit(place - 1)) {
        if (!reached.get(place)) {
          kept.add(place);
          reached.set(place);
          reached.or(reach.get(place));
        }
      }
      reach.add(reached);
      nearest.add(kept.reversed());
    }
    return nearest;
  }
}
