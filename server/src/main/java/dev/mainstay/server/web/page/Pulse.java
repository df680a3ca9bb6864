package dev.mainstay.server.web.page;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tells whether anything that pages show has changed, on whatever node. */
public interface Pulse {
  /** What is followed: a repository of an organization, or all its queues. */
  record Topic(long organizationId, Optional<Repo> repo) {}

  /** A text for each that is another one after every change. */
  Map<Topic, String> beats(Set<Topic> topics);
}
