package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import java.util.List;
import java.util.Set;

/**
 * Groups of which only some members merged, or that were overtaken. One that stood on such a group
 * only because of those has the rest of it in its run, too, and is tested without it.
 */
final class Remains {
  private Remains() {}

  static void retestWithout(NextState next, List<GroupId> halved) {
    List<Group> line = next.line();
    for (Group rest : line.stream().filter(g -> halved.contains(g.id())).toList()) {
      Set<GroupId> stands = Lanes.above(line, Set.of(rest.id()));
      String sentence =
          "It is tested again without " + PullRequestNames.list(rest.pullRequests()) + ".";
      var why = new Reason(ReasonCode.PREDECESSOR_LEFT, sentence);
      next.line().stream()
          .filter(g -> !stands.contains(g.id()))
          .filter(g -> g.runs().stream().anyMatch(r -> r.standsOn(rest.pullRequests())))
          .forEach(g -> next.retest(g, why, true));
    }
  }
}
