package dev.mainstay.server.forge.hosted;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.git.AroundLanding.Merging;
import dev.mainstay.server.forge.rest.Answer;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A merge by the host itself. Hosts lie about those: the pull request is asked what became of it.
 */
public final class HostMerge {
  /** A host that has not yet taken in the last push, or does not know yet whether it merges. */
  private static final Pattern LATER =
      Pattern.compile("try (the merge )?again", Pattern.CASE_INSENSITIVE);

  private static final Pattern MOVED =
      Pattern.compile("head (branch|out)", Pattern.CASE_INSENSITIVE);

  private HostMerge() {}

  /**
   * {@code pass} makes our check green, which the host may require. A check that said something
   * else was perhaps under way: where the host declines, both are done once more. A host that then
   * does not know yet has declined for the reason that it gave first.
   */
  public static Merging of(HostApi api, Head head, Runnable pass, Supplier<Answer> merge) {
    pass.run();
    Merging first = of(api, head, merge);
    if (!(first instanceof Merging.Declined)) {
      return first;
    }
    pass.run();
    try {
      return of(api, head, merge);
    } catch (ForgeUnavailable e) {
      return first;
    }
  }

  private static Merging of(HostApi api, Head head, Supplier<Answer> merge) {
    PullRequestRef pr = head.pr();
    Answer answer;
    try {
      answer = merge.get();
    } catch (ForgeUnavailable e) {
      return mergedAs(api, pr).<Merging>map(Merging.Merged::new).orElseThrow(() -> e);
    }
    Optional<HostedPull> now = api.plain(pr);
    Optional<CommitSha> merged = now.flatMap(HostedPull::mergedAs);
    if (merged.isPresent()) {
      return new Merging.Merged(merged.get());
    }
    String words = answer.words();
    // A status of 409 is also the answer where a hook of the server refuses the merge.
    boolean same = now.filter(pull -> pull.head().equals(head.commit())).isPresent();
    if (!same || (answer.status() == 409 && MOVED.matcher(words).find())) {
      return new Merging.HeadMoved();
    }
    if (LATER.matcher(words).find()) {
      throw new ForgeUnavailable("The host does not merge %s yet: %s".formatted(pr, words));
    }
    return new Merging.Declined("The host does not merge %s: %s".formatted(pr, words));
  }

  public static Optional<CommitSha> mergedAs(HostApi api, PullRequestRef pr) {
    return api.plain(pr).flatMap(HostedPull::mergedAs);
  }
}
