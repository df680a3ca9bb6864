package dev.mainstay.server.queue.talk;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.queue.store.OpenQueue;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A repository with its queues as they are now, and its host, where people are talked to. */
record Place(ConnectionStore.Row how, Host host, Abilities abilities, List<OpenQueue> queues) {
  Place {
    queues = List.copyOf(queues);
  }

  long repositoryId() {
    return how.repositoryId();
  }

  /** Some queue is set so. */
  boolean any(Predicate<QueueSettings> setting) {
    return queues.stream().anyMatch(queue -> setting.test(queue.state().settings()));
  }

  boolean has(Abilities.Ability ability) {
    return abilities.has(ability);
  }

  /** The queue that merges into this branch. */
  Optional<OpenQueue> queueOf(String branch) {
    return queues.stream()
        .filter(queue -> queue.state().target().branch().equals(branch))
        .findFirst();
  }

  /** Every way in which a command may begin here. */
  List<String> prefixes() {
    return queues.stream()
        .map(queue -> queue.state().settings())
        .filter(QueueSettings::commandsEnabled)
        .flatMap(settings -> settings.prefixes().stream())
        .distinct()
        .toList();
  }

  boolean hasWork() {
    return queues.stream().anyMatch(queue -> !queue.state().entries().isEmpty());
  }
}
