package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Groups of which only some members merged, or that were overtaken. One that stood on such a group
 * only because of those has the rest of it in its run, too, and is tested without it. So it is with
 * a run that assumes that others leave, through whom alone the group stands on the rest.
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
      for (Group group : next.line()) {
        if (group.runs().stream().anyMatch(r -> r.standsOn(rest.pullRequests()))) {
          if (!stands.contains(group.id())) {
            next.retest(group, why, true);
          } else if (!next.isLanding(group)) {
            keepWhatStands(next, group, rest, why);
          }
        }
      }
    }
  }

  private static void keepWhatStands(NextState next, Group group, Group rest, Reason why) {
    Predicate<Run> stands =
        r ->
            r.leaves().isEmpty()
                || !r.standsOn(rest.pullRequests())
                || Assumption.standsOn(next, group, rest.id(), r.leaves());
    Guesses.keep(next, group, stands, why);
  }
}
