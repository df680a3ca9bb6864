package dev.mainstay.core.queue;

import java.util.List;

/**
 * The offer of a repository's forge: whether one is connected at all, the statuses its branch
 * protection requires, and whether a test command of our own is set up.
 */
public record Connection(
    boolean connected, List<String> protectionStatuses, boolean hasTestCommand) {
  public static final Connection NONE = new Connection(false, List.of(), false);

  public Connection {
    protectionStatuses = List.copyOf(protectionStatuses);
  }
}
