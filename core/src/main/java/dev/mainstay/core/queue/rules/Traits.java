package dev.mainstay.core.queue.rules;

import dev.mainstay.core.chance.Learned;
import dev.mainstay.core.chance.Trait;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.QueueSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The traits of pull requests that their chances may hang on, as they are known now. */
final class Traits {
  /** With more targets than this no single one is told of, nor is one with a longer name. */
  private static final int MOST_TARGETS = 5;

  private static final int LONGEST_NAME = 200;

  private final List<String> required;
  private final Set<?> failedBefore;

  Traits(QueueSettings settings, Connection connection, Learned learned) {
    required = MustPass.statuses(settings, connection).orElse(List.of());
    failedBefore = new HashSet<>(learned.failedBefore());
  }

  static Traits of(NextState next) {
    return new Traits(next.settings, next.connection, next.learned);
  }

  List<Trait> of(Entry entry) {
    var traits = new ArrayList<Trait>();
    Optional<PullRequestSnapshot> seen = entry.snapshot();
    seen.flatMap(PullRequestSnapshot::author)
        .ifPresent(author -> traits.add(new Trait(Trait.Kind.AUTHOR, author)));
    seen.flatMap(PullRequestSnapshot::changedFiles)
        .ifPresent(files -> traits.add(new Trait(Trait.Kind.SIZE, size(files))));
    entry.knownTargets().ifPresent(targets -> addTargets(traits, targets));
    if (seen.filter(this::hasPassedOnItsHead).isPresent()) {
      traits.add(new Trait(Trait.Kind.HEAD_CHECKS, "passed"));
    }
    if (failedBefore.contains(entry.pr())) {
      traits.add(new Trait(Trait.Kind.EARLIER_ATTEMPT, "failed"));
    }
    return traits;
  }

  /** All that is required has passed on its own head, which not every forge tells. */
  private boolean hasPassedOnItsHead(PullRequestSnapshot seen) {
    return !required.isEmpty() && seen.passedStatuses().containsAll(required);
  }

  private static void addTargets(List<Trait> traits, ImpactedTargets targets) {
    if (targets.all()) {
      traits.add(new Trait(Trait.Kind.TARGET, "ALL"));
    } else if (targets.names().size() <= MOST_TARGETS) {
      for (String name : targets.names()) {
        if (name.length() <= LONGEST_NAME) {
          traits.add(new Trait(Trait.Kind.TARGET, name));
        }
      }
    }
  }

  private static String size(int files) {
    if (files <= 2) {
      return "1 or 2 files";
    }
    return files <= 10 ? "3 to 10 files" : "more than 10 files";
  }
}
