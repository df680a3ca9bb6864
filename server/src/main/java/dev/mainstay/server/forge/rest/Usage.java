package dev.mainstay.server.forge.rest;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The requests to a host, and how many of them it still allows, for whoever watches that. */
public final class Usage {
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong unchanged = new AtomicLong();
  private final AtomicLong remaining = new AtomicLong(-1);

  public long requests() {
    return requests.get();
  }

  /** Those of the requests that were answered by "nothing new", which is free at some hosts. */
  public long unchangedAnswers() {
    return unchanged.get();
  }

  /** The requests left until the limit begins anew; negative where the host has said nothing. */
  public long remaining() {
    return remaining.get();
  }

  void answered(Map<String, List<String>> headers) {
    requests.incrementAndGet();
    headers.getOrDefault("x-ratelimit-remaining", List.of()).stream()
        .filter(text -> text.matches("\\d{1,12}"))
        .findFirst()
        .ifPresent(text -> remaining.set(Long.parseLong(text)));
  }

  void unchanged() {
    unchanged.incrementAndGet();
  }
}
