package dev.mainstay.server.queue.run;

import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Stall;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.server.platform.Fact;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.queue.store.Caption;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.PullRequestStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What a queue tells those outside of what happened in it. */
public final class QueueFacts {
  private static final int LONGEST = 500;

  private QueueFacts() {}

  /** A transition with what was known of its entry then. */
  record Moved(
      Transition transition,
      Caption about,
      Optional<PullRequestStore.Landed> landed,
      Optional<Entry> entry,
      Optional<Run> run) {}

  /** The first transition of an entry also tells that it was accepted. */
  static List<Fact> of(OpenQueue queue, Moved moved) {
    Transition t = moved.transition();
    String subject = "pull-request/%d/%d".formatted(queue.id(), t.pr().number());
    ObjectNode content = pullRequest(queue, moved);
    var facts = new ArrayList<Fact>();
    if (t.from().isEmpty()) {
      facts.add(new Fact("pull_request.submitted", subject, t.at(), content));
    }
    facts.add(new Fact("pull_request." + word(t.to()), subject, t.at(), content));
    return facts;
  }

  private static String word(PullRequestState state) {
    return state == PullRequestState.PENDING ? "queued" : state.name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode pullRequest(OpenQueue queue, Moved moved) {
    Transition t = moved.transition();
    Caption about = moved.about();
    ObjectNode content = about(queue.state());
    ObjectNode pr =
        content
            .putObject("pullRequest")
            .put("id", queue.publicId(t.entry().number()))
            .put("number", t.pr().number())
            .put("title", bounded(about.title()))
            .put("author", bounded(about.author()))
            .put("url", bounded(about.url()))
            .put("state", t.to().name());
    t.from().ifPresent(from -> pr.put("previousState", from.name()));
    moved.entry().flatMap(Entry::head).ifPresent(head -> pr.put("sha", head.value()));
    content
        .putObject("reason")
        .put("code", t.reason().code().name().toLowerCase(Locale.ROOT))
        .put("message", bounded(t.reason().sentence()));
    moved.run().ifPresent(run -> run(queue, run, content));
    if (t.to() == PullRequestState.MERGED) {
      moved
          .landed()
          .ifPresent(
              landed ->
                  content
                      .putObject("landed")
                      .put("sha", landed.sha())
                      .put("how", landed.how().name()));
    }
    return content;
  }

  private static void run(OpenQueue queue, Run run, ObjectNode content) {
    ObjectNode told =
        content
            .putObject("testRun")
            .put("id", queue.publicId(run.id().number()))
            .put("kind", run.kind().name())
            .put("testBranch", queue.testBranch(run.id()));
    run.commit().ifPresent(commit -> told.put("testBranchSha", commit.value()));
  }

  /** What a queue as a whole became, by an event that led from one state to another. */
  static List<Fact> of(OpenQueue queue, QueueState was, QueueState is, Instant now) {
    var facts = new ArrayList<Fact>();
    if (!was.settings().equals(is.settings()) || !was.switchingTo().equals(is.switchingTo())) {
      ObjectNode content = about(is);
      content.set("changed", SettingsNodes.changed(was.settings(), is.settings()));
      is.switchingTo()
          .ifPresent(mode -> content.put("nextMode", mode.name().toLowerCase(Locale.ROOT)));
      facts.add(fact("queue.updated", queue.id(), content, "The settings were changed.", now));
    }
    if (was.lifecycle() != is.lifecycle()) {
      lifecycle(queue, is, now).ifPresent(facts::add);
    }
    is.progress()
        .stall()
        .filter(stall -> was.progress().stall().isEmpty())
        .ifPresent(stall -> facts.add(stalled(queue, is, stall, now)));
    return facts;
  }

  private static Fact stalled(OpenQueue queue, QueueState is, Stall stall, Instant now) {
    ObjectNode content = about(is);
    content.put("stalledSince", stall.since().toString());
    content
        .putObject("reason")
        .put("code", stall.cause().name().toLowerCase(Locale.ROOT))
        .put("message", bounded(stall.sentence()));
    return new Fact("queue.stalled", "queue/" + queue.id(), now, content);
  }

  private static Optional<Fact> lifecycle(OpenQueue queue, QueueState is, Instant now) {
    return switch (is.lifecycle()) {
      case PAUSED -> Optional.of(fact("queue.paused", queue.id(), about(is), paused(is), now));
      case DRAINING ->
          Optional.of(
              fact(
                  "queue.draining",
                  queue.id(),
                  about(is),
                  "The queue drains: nobody enters, and what is in it merges.",
                  now));
      case RUNNING ->
          Optional.of(fact("queue.resumed", queue.id(), about(is), "The queue runs again.", now));
      case SWITCHING_MODES -> Optional.empty();
    };
  }

  private static String paused(QueueState is) {
    String why = is.doubt().suspicion().map(s -> " " + s.why().sentence()).orElse("");
    return bounded("The queue was paused: nothing starts and nothing merges." + why);
  }

  /** A queue was made. */
  public static Fact created(long queueId, QueueState state, Instant now) {
    ObjectNode content = about(state);
    content.set("settings", SettingsNodes.of(state.settings()));
    return fact("queue.created", queueId, content, "The queue was made.", now);
  }

  /** A queue was deleted. */
  public static Fact deleted(long queueId, QueueState state, Instant now) {
    return fact("queue.deleted", queueId, about(state), "The queue was deleted.", now);
  }

  private static Fact fact(
      String kind, long queueId, ObjectNode content, String sentence, Instant now) {
    content.putObject("reason").put("code", kind.replace('.', '_')).put("message", sentence);
    return new Fact(kind, "queue/" + queueId, now, content);
  }

  private static ObjectNode about(QueueState state) {
    ObjectNode content = Json.object();
    QueueLifecycle lifecycle = state.lifecycle();
    content
        .putObject("queue")
        .put("targetBranch", state.target().branch())
        .put("state", lifecycle.name());
    return content;
  }

  private static String bounded(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
  }
}
