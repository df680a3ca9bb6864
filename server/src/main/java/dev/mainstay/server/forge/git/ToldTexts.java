package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.List;
import java.util.function.Function;

/** The texts of pull requests as their host tells them. */
record ToldTexts(Function<PullRequestRef, PullRequestText> host) implements Texts {
  @Override
  public boolean knows(int pullRequest) {
    return true;
  }

  @Override
  public void fetched(List<Head> heads, GitCache cache) {}

  @Override
  public PullRequestText of(PullRequestRef pr, Commit head, GitCache cache) {
    return host.apply(pr);
  }
}
