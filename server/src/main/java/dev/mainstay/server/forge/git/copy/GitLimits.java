package dev.mainstay.server.forge.git.copy;

import java.time.Duration;

/** The time limits of git: on this node's own disk, and when it talks to the repository. */
public record GitLimits(Duration local, Duration remote) {
  public static final GitLimits USUAL = new GitLimits(Duration.ofMinutes(2), Duration.ofMinutes(5));
}
