package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.simulation.check.play.Luck.Roll;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Authors, users and administrators: they do their deeds, and the forge tells the queue. */
public final class People {
  private final Scenario scenario;
  private final Agenda agenda;
  private final Luck luck;
  private final FakeForge forge;
  private final Post post;
  private QueueSettings settings;
  private Connection connection;
  private boolean calm;

  public People(Scenario scenario, Agenda agenda, Luck luck, FakeForge forge, Post post) {
    this.scenario = scenario;
    this.agenda = agenda;
    this.luck = luck;
    this.forge = forge;
    this.post = post;
    this.settings = scenario.settings();
    this.connection = scenario.connection();
  }

  public void calmDown() {
    calm = true;
  }

  /** Deeds that the world itself does, not its people, are not done here. */
  public void perform(Deed deed) {
    switch (deed) {
      case Deed.Submit d -> submit(d);
      case Deed.Cancel d -> post.hand(new QueueEvent.Cancelled(new PullRequestRef(d.pr())));
      case Deed.Restart d -> post.hand(new QueueEvent.RestartRequested(new PullRequestRef(d.pr())));
      case Deed.Push d -> push(d.pr());
      case Deed.SetDraft d ->
          set(d.pr(), Status.OPEN, Status.DRAFT, d.draft() ? Status.DRAFT : Status.OPEN);
      case Deed.SetOpen d ->
          set(d.pr(), Status.OPEN, Status.CLOSED, d.open() ? Status.OPEN : Status.CLOSED);
      case Deed.ChangeBase d -> changeBase(d);
      case Deed.TellTargets d -> tellTargets(d.pr(), d.all());
      case Deed.PushToTarget d -> pushToTarget(new Patch(-d.number(), 1));
      case Deed.MergeByHand d -> mergeByHand(forge.pr(d.pr()));
      case Deed.Ask d -> post.hand(new QueueEvent.LifecycleRequested(d.lifecycle()));
      case Deed.Configure d -> configure(d);
      case Deed.Connect d -> connect(d.connected());
      case Deed.ReplayActions d -> {}
      case Deed.ReplayEvents d -> post.tellAgain(d.count());
    }
  }

  private void submit(Deed.Submit deed) {
    FakePullRequest pr = forge.pr(deed.pr());
    CommitSha head = pr.patch().head();
    boolean known = forge.subject(deed.pr()).toldBefore();
    if (known && forge.told(head).isEmpty()) {
      forge.tell(head, forge.targets(pr.patch()));
    }
    boolean seen = connection.connected() && !luck.happens(0.1, Roll.WEBHOOK, deed.pr());
    post.hand(
        new QueueEvent.Submitted(
            new PullRequestRef(deed.pr()),
            new Priority(deed.priority()),
            deed.noBatch(),
            seen
                ? Optional.of(forge.snapshot(deed.pr(), agenda.now(), Optional.empty()))
                : Optional.empty(),
            seen ? forge.told(head) : Optional.empty()));
    if (!seen) {
      forge.told(head).ifPresent(t -> tell(deed.pr(), head, t));
    }
  }

  private void push(int number) {
    FakePullRequest pr = forge.pr(number);
    if (pr.status == Status.OPEN || pr.status == Status.DRAFT) {
      pr.push(forge.head());
      show(number);
    }
  }

  private void set(int number, Status one, Status other, Status wanted) {
    FakePullRequest pr = forge.pr(number);
    if (pr.status == one || pr.status == other) {
      pr.status = wanted;
      show(number);
    }
  }

  private void changeBase(Deed.ChangeBase deed) {
    FakePullRequest pr = forge.pr(deed.pr());
    if (pr.status != Status.MERGED) {
      pr.onOurBranch = deed.toOurs();
      show(deed.pr());
    }
  }

  public void tellTargets(int number, boolean all) {
    Patch patch = forge.pr(number).patch();
    ImpactedTargets targets = all ? ImpactedTargets.ALL : forge.targets(patch);
    forge.tell(patch.head(), targets);
    tell(number, patch.head(), targets);
  }

  private void tell(int number, CommitSha head, ImpactedTargets targets) {
    post.hand(new QueueEvent.ImpactedTargetsSet(new PullRequestRef(number), head, targets));
  }

  /** Nobody breaks the target branch by hand: then nothing could be said about the queue. */
  private boolean stays(Patch patch) {
    Tree now = forge.tree(forge.head());
    return forge.merges(patch, now) && forge.isGood(now.with(patch)) && !now.has(patch);
  }

  private void pushToTarget(Patch patch) {
    if (forge.exists(patch.number()) && stays(patch)) {
      targetMoves(patch);
    }
  }

  private void mergeByHand(FakePullRequest pr) {
    if (pr.mayMerge() && stays(pr.patch())) {
      boolean squashed = luck.happens(0.5, Roll.MERGEABILITY, Luck.mix(pr.number, 17));
      if (squashed) {
        CommitSha from = forge.head();
        moved(from, forge.squash(pr.patch()), Set.of(pr.patch()));
      } else {
        targetMoves(pr.patch());
      }
      show(pr.number);
    }
  }

  private void targetMoves(Patch patch) {
    CommitSha from = forge.head();
    moved(from, forge.advance(patch), Set.of(patch));
  }

  /** The forge tells that its branch moved, and shows what merges no longer, or again. */
  public void moved(CommitSha from, CommitSha to, Set<Patch> patches) {
    long about = Luck.mix(3, to.value().hashCode());
    boolean known = patches.size() == 1 && luck.happens(0.7, Roll.TOUCHED, about);
    Optional<ImpactedTargets> touched =
        known ? Optional.of(forge.targets(patches.iterator().next())) : Optional.empty();
    post.send(new QueueEvent.TargetMoved(Optional.of(from), to, touched), about);
    forge.opened().stream()
        .filter(pr -> pr.mayMerge() && forge.mergeability(pr) == Mergeability.NOT_MERGEABLE)
        .filter(pr -> luck.happens(0.4, Roll.WEBHOOK, Luck.mix(about, pr.number)))
        .forEach(pr -> show(pr.number));
  }

  /** The forge says for the first time where its branch is. */
  public void showTarget() {
    var told = new QueueEvent.TargetMoved(Optional.empty(), forge.head(), Optional.empty());
    post.send(told, 8);
  }

  /** The forge shows a pull request, at times before it knows whether it merges. */
  public void show(int number) {
    if (!connection.connected()) {
      return;
    }
    var unsure =
        luck.happens(calm ? 0 : 0.15, Roll.MERGEABILITY, number)
            ? Optional.of(Mergeability.IN_PROGRESS)
            : Optional.<Mergeability>empty();
    var ref = new PullRequestRef(number);
    var snapshot = forge.snapshot(number, agenda.now(), unsure);
    post.send(new QueueEvent.SnapshotTaken(ref, snapshot), Luck.mix(number, 5));
    if (unsure.isPresent()) {
      agenda.in(Duration.ofSeconds(20), () -> show(number));
    }
  }

  private void configure(Deed.Configure deed) {
    settings = Tweaks.apply(deed, settings, scenario.flaws().equals(Flaws.NONE));
    post.hand(new QueueEvent.SettingsChanged(settings));
  }

  public void connect(boolean connected) {
    connection = connected ? scenario.connection() : Connection.NONE;
    post.hand(new QueueEvent.ConnectionChanged(connection));
  }

  public boolean isConnected() {
    return connection.connected();
  }
}
