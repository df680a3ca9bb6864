package dev.mainstay.server.web.page;

import java.util.Map;
import java.util.Set;

/** Tells whether anything that the pages of a repository show has changed, on whatever node. */
public interface Pulse {
  /** What is followed: a repository of an organization. */
  record Topic(long organizationId, Repo repo) {}

  /** A text for each that is another one after every change. */
  Map<Topic, String> beats(Set<Topic> topics);
}
