package dev.mainstay.server.forge.gitlab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.Host.Reaction;
import dev.mainstay.server.forge.TalkWorld;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** The people of a project at the fake GitLab. */
final class GitLabTalkers implements TalkWorld {
  private final GitLabWorld world;
  private Optional<TestNode> node = Optional.empty();
  private String secret = "";

  GitLabTalkers(GitLabWorld world) {
    this.world = world;
  }

  @Override
  public GitLabWorld forge() {
    return world;
  }

  private <T> T at(Function<FakeGitLab, T> question) {
    synchronized (world.gitlab) {
      return question.apply(world.gitlab);
    }
  }

  private void does(Consumer<FakeGitLab> deed) {
    synchronized (world.gitlab) {
      deed.accept(world.gitlab);
    }
  }

  @Override
  public String connection() {
    return "'address':'%s','credentials':{'token':'%s'}"
        .formatted(world.location(), FakeGitLab.TOKEN);
  }

  @Override
  public void connected(TestNode called, String hookSecret) {
    node = Optional.of(called);
    secret = hookSecret;
  }

  @Override
  public void hook() {
    TestNode called = node.orElseThrow();
    int status =
        called
            .send(
                called
                    .request("/hooks/gitlab", "")
                    .header("content-type", "application/json")
                    .header("X-Gitlab-Event", "Note Hook")
                    .header("X-Gitlab-Token", secret)
                    .POST(
                        BodyPublishers.ofString(
                            """
                            {"object_kind":"note","event_type":"note",
                             "project":{"path_with_namespace":"acme/platform/app"},
                             "object_attributes":{"note":"/mainstay cancel","action":"create"}}""")))
            .status();
    assertThat(status).isEqualTo(200);
  }

  @Override
  public void may(String who, Permission permission) {
    int level =
        switch (permission) {
          case NONE -> 0;
          case READ -> 20;
          case WRITE -> 30;
          case ADMIN -> 40;
        };
    does(g -> g.people.members.put(who, level));
  }

  @Override
  public Optional<String> bot() {
    return Optional.of(FakeGitLab.LOGIN);
  }

  @Override
  public long say(String who, int pr, String text) {
    return at(g -> g.notes.say(pr, who, text));
  }

  @Override
  public void edit(String who, long comment, String text) {
    does(g -> g.notes.edit((int) comment, text));
  }

  @Override
  public void delete(String who, long comment) {
    does(g -> g.notes.delete((int) comment));
  }

  @Override
  public List<Reaction> answers(long comment) {
    return at(g -> g.notes.reactions((int) comment)).stream()
        .map(name -> name.equals("thumbsup") ? Reaction.DONE : Reaction.REFUSED)
        .toList();
  }

  @Override
  public List<String> ours(int pr) {
    return at(g -> g.notes.of(pr)).stream()
        .map(FakeNotes.Note::text)
        .filter(text -> text.startsWith("<!-- mainstay -->"))
        .toList();
  }

  @Override
  public void label(String who, int pr, String label) {
    does(g -> g.signs.label(pr, label, who));
  }

  @Override
  public void unlabel(String who, int pr, String label) {
    does(g -> g.signs.unlabel(pr, label, who));
  }

  @Override
  public Set<String> labels(int pr) {
    return at(g -> Set.copyOf(g.requests.of(pr).labels));
  }

  @Override
  public void arm(String who, int pr) {
    does(g -> g.signs.arm(pr, who));
  }

  @Override
  public void disarm(String who, int pr) {
    does(g -> g.signs.disarm(pr, who));
  }

  @Override
  public void report(CommitSha tested, boolean good) {
    does(
        g -> g.pipelines.newest(tested.value()).orElseThrow().status = good ? "success" : "failed");
  }

  @Override
  public void close() {
    world.close();
  }
}
