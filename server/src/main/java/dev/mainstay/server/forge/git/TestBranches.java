package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository.BuildResult;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.GitRepository.TestBranch;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.Git;
import dev.mainstay.server.forge.git.copy.GitCache;
import dev.mainstay.server.forge.git.copy.GitErrors;
import dev.mainstay.server.forge.git.copy.PushReport;
import dev.mainstay.server.forge.git.copy.Remote;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes test branches and takes them away. */
final class TestBranches {
  private static final int AT_ONCE = 500;

  private TestBranches() {}

  static BuildResult build(Remote remote, Texts texts, TestBranch branch, String reference) {
    GitCache cache = remote.cache();
    bring(remote, texts, branch);
    for (Head head : branch.heads()) {
      if (!RefNames.isCommit(head.commit()) || !cache.hasHead(head.commit().value())) {
        return new BuildResult.HeadGone(head.pr());
      }
    }
    String base = branch.base().value();
    var made =
        new LandingCommits(
                cache, branch.method(), texts.of(branch.heads(), cache), Stamp.ofTested(cache))
            .on(base, branch.heads());
    if (made.broken().isPresent()) {
      return new BuildResult.Conflict(
          made.broken().get().head().pr(), made.broken().get().withBase());
    }
    String tip = branch.heads().isEmpty() ? apart(cache, branch) : made.tip(base);
    push(remote, tip, reference);
    return new BuildResult.Built(
        new CommitSha(tip),
        made.pieces().stream().filter(p -> !p.adds()).map(p -> p.head().pr()).toList());
  }

  /**
   * A commit of its own with the tree of the base: what CI said of the base itself is of another
   * time, and does not count.
   */
  private static String apart(GitCache cache, TestBranch branch) {
    Commit base = cache.knownCommit(branch.base().value());
    String us = Commit.us(Instant.ofEpochSecond(base.time()));
    String message = "Test the branch as it is\n\n%s\n".formatted(branch.name());
    return cache.write(
        new Commit(base.tree(), List.of(branch.base().value()), us, us, List.of(), message));
  }

  static boolean isSum(Remote remote, Texts texts, CommitSha to, CommitSha from, List<Head> heads) {
    GitCache cache = remote.cache();
    bring(remote, texts, new TestBranch("", from, heads, Method.SQUASH));
    remote.bring(List.of(to.value()), List.of("refs/heads/*"));
    boolean known = heads.stream().allMatch(h -> cache.hasHead(h.commit().value()));
    if (!known || !cache.has(to.value())) {
      return false;
    }
    var made =
        new LandingCommits(cache, Method.SQUASH, texts.of(heads, cache), Stamp.ofTested(cache))
            .on(from.value(), heads);
    String sum = cache.knownCommit(made.tip(from.value())).tree();
    return made.broken().isEmpty() && sum.equals(cache.knownCommit(to.value()).tree());
  }

  private static void bring(Remote remote, Texts texts, TestBranch branch) {
    GitCache cache = remote.cache();
    var references = new ArrayList<String>();
    for (Head head : branch.heads()) {
      if (!cache.hasHead(head.commit().value()) || !texts.knows(head.pr().number())) {
        references.addAll(remote.pulls().of(head.pr().number()));
      }
    }
    if (!cache.has(branch.base().value())) {
      references.add("refs/heads/*");
    }
    remote.fetch(references);
    texts.fetched(branch.heads(), cache);
    if (!cache.has(branch.base().value())) {
      throw new ForgeUnavailable(
          "The commit %s, on which the test branch is to be built, is not in %s."
              .formatted(branch.base(), remote.address()));
    }
  }

  private static void push(Remote remote, String tip, String reference) {
    Git.Result result = remote.cache().push(List.of(), List.of("+" + tip + ":" + reference));
    PushReport report = PushReport.of(result);
    if (report.ok(reference) && result.ok()) {
      return;
    }
    if (report.line(reference).isEmpty()) {
      throw remote.failed(result);
    }
    String words = GitErrors.remoteWords(result.errors());
    throw new ForgeUnavailable(
        "%s does not take the test branch: %s"
            .formatted(
                remote.address(),
                words.isEmpty() ? report.line(reference).orElseThrow().why() : words));
  }

  /** Deletes branches. Most are there; only where one is not, git must be asked which. */
  static void delete(Remote remote, List<String> references) {
    for (int from = 0; from < references.size(); from += AT_ONCE) {
      List<String> some = references.subList(from, Math.min(references.size(), from + AT_ONCE));
      if (!deleted(remote, some)) {
        Map<String, String> there = remote.list(some);
        List<String> left = some.stream().filter(there::containsKey).toList();
        if (!deleted(remote, left)) {
          throw new ForgeUnavailable("%s keeps test branches.".formatted(remote.address()));
        }
      }
    }
  }

  /** False where the far side says of one of them that it is not deleted. */
  private static boolean deleted(Remote remote, List<String> references) {
    if (references.isEmpty()) {
      return true;
    }
    Git.Result result =
        remote.cache().push(List.of(), references.stream().map(r -> ":" + r).toList());
    if (result.ok()) {
      return true;
    }
    RuntimeException fault = GitErrors.fault(remote.address(), result);
    if (result.timedOut() || fault instanceof CredentialsRefused) {
      throw fault;
    }
    return false;
  }
}
