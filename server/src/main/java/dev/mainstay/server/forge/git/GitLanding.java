package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.GitRepository.LandingResult;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.git.copy.Git;
import dev.mainstay.server.forge.git.copy.GitCache;
import dev.mainstay.server.forge.git.copy.GitErrors;
import dev.mainstay.server.forge.git.copy.PushReport;
import dev.mainstay.server.forge.git.copy.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A landing by one push, which changes nothing unless the target branch and every head are where
 * they were. The heads go along as references to what they are already: git sends nothing for them,
 * but refuses the whole push where one is elsewhere. Hosts hide those references: {@link
 * HostedLanding} has another way there. Whatever does not work out is looked up before it is
 * answered: it may have landed by an earlier call.
 */
record GitLanding(Remote remote, Texts known, Landing landing) {
  private static final Pattern REFUSAL =
      Pattern.compile("hook declined|denied|deny|prohibited|not allowed|protected|checked out");

  /**
   * A reason why the landing did not work out; before that is the answer, it is looked up whether
   * it landed after all.
   */
  private sealed interface Trouble {
    record Fault(LandingFault fault) implements Trouble {}

    /** The push may or may not have arrived, or another try may go better. */
    record Unclear(RuntimeException fault) implements Trouble {}
  }

  /** A landing before its push: what each pull request becomes, or the end of it already. */
  sealed interface Prepared {
    record Ready(List<Landed> chain) implements Prepared {}

    record Ended(LandingResult result) implements Prepared {}
  }

  LandingResult land() {
    return switch (prepared()) {
      case Prepared.Ready(var chain) -> push(chain);
      case Prepared.Ended(var result) -> result;
    };
  }

  Prepared prepared() {
    if (landing.heads().isEmpty()) {
      return new Prepared.Ended(new LandingResult(List.of(), Optional.empty()));
    }
    if (!RefNames.isBranch(landing.targetBranch()) || !RefNames.isCommit(landing.onto())) {
      String sentence = "%s is not a branch to land on.".formatted(landing.targetBranch());
      return new Prepared.Ended(failed(refused(GitErrors.bounded(sentence))));
    }
    bring();
    Optional<Trouble> unknown = unknown();
    if (unknown.isPresent()) {
      return new Prepared.Ended(lookedUp(unknown.get()));
    }
    var plan = new LandingPlan(remote.cache(), landing, this::texts).plan();
    return plan.fault().isPresent()
        ? new Prepared.Ended(lookedUp(plan.fault().get()))
        : new Prepared.Ready(plan.landed());
  }

  private void bring() {
    GitCache cache = remote.cache();
    var references = new ArrayList<String>();
    for (Head head : landing.heads()) {
      if (!cache.hasHead(head.commit().value()) || !known.knows(head.pr().number())) {
        references.addAll(remote.pulls().of(head.pr().number()));
      }
    }
    if (!cache.has(landing.onto().value())) {
      references.add(target());
    }
    if (landing.tested().filter(t -> !cache.has(t.value())).isPresent()) {
      references.add(RefNames.branch(RefNames.TEST_BRANCHES + landing.targetBranch() + "/*"));
    }
    remote.fetch(references);
    // Where an earlier call moved a head for its host, no reference leads to what it was.
    landing.heads().stream()
        .map(Head::commit)
        .filter(RefNames::isCommit)
        .forEach(head -> remote.bring(head.value()));
    known.fetched(landing.heads(), cache);
  }

  private Optional<Trouble> unknown() {
    for (Head head : landing.heads()) {
      if (!RefNames.isCommit(head.commit()) || !remote.cache().hasHead(head.commit().value())) {
        return Optional.of(new Trouble.Fault(new LandingFault.HeadMoved(head.pr())));
      }
    }
    return remote.cache().has(landing.onto().value())
        ? Optional.empty()
        : Optional.of(new Trouble.Unclear(new ForgeUnavailable("The target branch was moved.")));
  }

  private Map<Head, PullRequestText> texts() {
    return known.of(landing.heads(), remote.cache());
  }

  private LandingResult push(List<Landed> landed) {
    LandingResult result = push(landed, landing.heads());
    boolean stale =
        result.fault().filter(LandingFault.HeadMoved.class::isInstance).isPresent()
            && new HeadProof(remote, landing).look().moved().isEmpty();
    // They are where they were, and called stale: they are hidden.
    return stale ? push(landed, List.of()) : result;
  }

  /** Pushes the last of these onto the target branch, if all of these heads are where they were. */
  LandingResult push(List<Landed> landed, List<Head> leased) {
    var options = new ArrayList<>(List.of("--atomic"));
    var references = new ArrayList<String>();
    expect(options, references, target(), landing.onto(), landed.getLast().targetHead());
    for (Head head : leased) {
      expect(
          options,
          references,
          remote.pulls().head(head.pr().number()),
          head.commit(),
          head.commit());
    }
    Git.Result result = remote.cache().push(options, references);
    PushReport report = PushReport.of(result);
    return result.ok() && report.ok(target())
        ? new LandingResult(landed, Optional.empty())
        : lookedUp(trouble(result, report));
  }

  /** Moves one branch, as {@link AroundLanding.Pusher} has it. */
  boolean push(String branch, CommitSha from, CommitSha to, List<String> hints) {
    var options = new ArrayList<String>();
    hints.forEach(hint -> options.add("--push-option=" + hint));
    var references = new ArrayList<String>();
    expect(options, references, RefNames.branch(branch), from, to);
    Git.Result result = remote.cache().push(options, references);
    PushReport report = PushReport.of(result);
    if (result.ok() && report.ok(RefNames.branch(branch))) {
      return true;
    }
    if (report.line(RefNames.branch(branch)).isEmpty()) {
      throw GitErrors.fault(remote.address(), result);
    }
    return false;
  }

  private static void expect(
      List<String> options, List<String> references, String name, CommitSha at, CommitSha to) {
    options.add("--force-with-lease=" + name + ":" + at);
    references.add(to + ":" + name);
  }

  private Trouble trouble(Git.Result result, PushReport report) {
    for (Head head : landing.heads()) {
      if (report
          .line(remote.pulls().head(head.pr().number()))
          .filter(PushReport.Line::stale)
          .isPresent()) {
        return new Trouble.Fault(new LandingFault.HeadMoved(head.pr()));
      }
    }
    Optional<PushReport.Line> line = report.line(target()).filter(l -> !l.ok());
    if (line.filter(l -> l.refusedThere() && REFUSAL.matcher(l.why()).find()).isPresent()) {
      String words = GitErrors.remoteWords(result.errors());
      return new Trouble.Fault(refused(words.isEmpty() ? line.get().why() : words));
    }
    return new Trouble.Unclear(
        line.<RuntimeException>map(
                l ->
                    new ForgeUnavailable(
                        "%s did not take the merge: %s".formatted(remote.address(), l.why())))
            .orElseGet(() -> GitErrors.fault(remote.address(), result)));
  }

  /**
   * A refusal. One push lands all or nothing, so whom a hook meant is not known: the first stands
   * for all.
   */
  private LandingFault refused(String sentence) {
    return new LandingFault.Refused(landing.heads().getFirst().pr(), sentence);
  }

  /** The answer to a landing that did not work out for this fault, unless it did earlier. */
  LandingResult lookedUp(LandingFault fault) {
    return lookedUp(new Trouble.Fault(fault));
  }

  /** The commit that the target branch is at. */
  String targetNow() {
    remote.fetch(List.of(target()));
    return remote
        .cache()
        .fetched(target())
        .orElseThrow(
            () ->
                new ForgeUnavailable(
                    "There is no branch %s in %s."
                        .formatted(landing.targetBranch(), remote.address())));
  }

  private LandingResult lookedUp(Trouble trouble) {
    String now = targetNow();
    if (remote.cache().has(landing.onto().value())) {
      Optional<List<Landed>> before = LandingMark.find(remote.cache(), landing, now);
      if (before.isPresent()) {
        return new LandingResult(before.get(), Optional.empty());
      }
    }
    return notLanded(trouble, new CommitSha(now));
  }

  private LandingResult notLanded(Trouble trouble, CommitSha now) {
    boolean moved = !now.equals(landing.onto());
    return switch (trouble) {
      case Trouble.Fault(LandingFault.HeadMoved fault) -> failed(fault);
      case Trouble.Fault _ when moved -> failed(new LandingFault.TargetMoved(now));
      case Trouble.Unclear _ when moved -> failed(new LandingFault.TargetMoved(now));
      case Trouble.Fault(LandingFault fault) -> failed(fault);
      case Trouble.Unclear(RuntimeException fault) -> throw fault;
    };
  }

  static LandingResult failed(LandingFault fault) {
    return new LandingResult(List.of(), Optional.of(fault));
  }

  private String target() {
    return RefNames.branch(landing.targetBranch());
  }
}
