package dev.mainstay.server.forge.hosted;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.git.AroundLanding.Merging;
import dev.mainstay.server.forge.rest.Answer;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A merge by the host itself. Hosts lie about those: the pull request is asked what became of it.
 */
public final class HostMerge {
  private HostMerge() {}

  public static Merging of(HostApi api, PullRequestRef pr, Supplier<Answer> merge) {
    Answer answer;
    try {
      answer = merge.get();
    } catch (ForgeUnavailable e) {
      return mergedAs(api, pr).<Merging>map(Merging.Merged::new).orElseThrow(() -> e);
    }
    Optional<CommitSha> merged = mergedAs(api, pr);
    if (merged.isPresent()) {
      return new Merging.Merged(merged.get());
    }
    if (answer.words().toLowerCase(Locale.ROOT).contains("try again later")) {
      throw new ForgeUnavailable(
          "The host does not merge %s yet: %s".formatted(pr, answer.words()));
    }
    return answer.status() == 409
        ? new Merging.HeadMoved()
        : new Merging.Declined("The host does not merge %s: %s".formatted(pr, answer.words()));
  }

  public static Optional<CommitSha> mergedAs(HostApi api, PullRequestRef pr) {
    return api.plain(pr).flatMap(HostedPull::mergedAs);
  }
}
