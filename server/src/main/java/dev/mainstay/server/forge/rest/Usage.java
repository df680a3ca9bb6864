package dev.mainstay.server.forge.rest;

import java.util.concurrent.atomic.AtomicLong;

/** The requests for one repository, for whoever watches that. */
public final class Usage {
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong unchanged = new AtomicLong();

  public long requests() {
    return requests.get();
  }

  /** Those of the requests that were answered by "nothing new", which is free at some hosts. */
  public long unchangedAnswers() {
    return unchanged.get();
  }

  void answered() {
    requests.incrementAndGet();
  }

  void unchanged() {
    unchanged.incrementAndGet();
  }
}
