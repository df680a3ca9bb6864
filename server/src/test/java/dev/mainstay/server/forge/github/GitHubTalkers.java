package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.Host.Reaction;
import dev.mainstay.server.forge.TalkWorld;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The people of a repository at the fake GitHub. */
final class GitHubTalkers implements TalkWorld {
  private static final int ACTIONS = 15368;

  private final GitHubWorld world;
  private String credentials = "'token':'%s'".formatted(FakeGitHub.TOKEN);
  private Optional<TestNode> node = Optional.empty();
  private String secret = "";

  GitHubTalkers(GitHubWorld world) {
    this.world = world;
    world.github.protection.classic.add(new FakeProtection.Required("ci", ACTIONS));
  }

  /** It is connected by an App from now on. */
  void byApp() {
    String key = Base64.getEncoder().encodeToString(world.github.tokens.privateKey());
    String pem = "-----BEGIN PRIVATE KEY-----\\n" + key + "\\n-----END PRIVATE KEY-----";
    credentials = "'app':{'id':'%s','privateKey':'%s'}".formatted(FakeTokens.APP, pem);
  }

  private <T> T at(Function<FakeGitHub, T> question) {
    synchronized (world.github) {
      return question.apply(world.github);
    }
  }

  private void does(Consumer<FakeGitHub> deed) {
    synchronized (world.github) {
      deed.accept(world.github);
    }
  }

  @Override
  public GitHubWorld forge() {
    return world;
  }

  @Override
  public String connection() {
    return "'address':'%s/acme/app','kind':'github','credentials':{%s}"
        .formatted(world.github.address(), credentials);
  }

  @Override
  public void connected(TestNode called, String hookSecret) {
    node = Optional.of(called);
    secret = hookSecret;
  }

  @Override
  public void hook() {
    call("issue_comment", "d-1", "");
  }

  /** Somebody presses a button beside our check. */
  void press(String who, String type, String delivery, String button) {
    call(
        "check_run",
        delivery,
        """
        "action":"requested_action","requested_action":{"identifier":"%s"},\
        "sender":{"login":"%s","type":"%s"},"""
            .formatted(button, who, type));
  }

  private void call(String event, String delivery, String more) {
    String body = "{%s\"repository\":{\"full_name\":\"acme/app\"}}".formatted(more);
    TestNode called = node.orElseThrow();
    int status =
        called
            .send(
                called
                    .request("/hooks/github", "")
                    .header("content-type", "application/json")
                    .header("X-GitHub-Event", event)
                    .header("X-GitHub-Delivery", delivery)
                    .header("X-Hub-Signature-256", "sha256=" + signature(body))
                    .POST(BodyPublishers.ofString(body)))
            .status();
    assertThat(status).isEqualTo(200);
  }

  private String signature(String body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void may(String who, Permission permission) {
    does(g -> g.talk.permission(who, permission.name().toLowerCase(Locale.ROOT)));
  }

  @Override
  public Optional<String> bot() {
    return Optional.of("dependabot[bot]");
  }

  @Override
  public long say(String who, int pr, String text) {
    return at(g -> g.talk.say(pr, who, text));
  }

  @Override
  public void edit(String who, long comment, String text) {
    does(g -> g.talk.edit((int) comment, text));
  }

  @Override
  public void delete(String who, long comment) {
    does(g -> g.talk.delete((int) comment));
  }

  @Override
  public List<Reaction> answers(long comment) {
    return at(g -> g.talk.reactions((int) comment)).stream()
        .map(name -> name.equals("+1") ? Reaction.DONE : Reaction.REFUSED)
        .toList();
  }

  @Override
  public List<String> ours(int pr) {
    return at(g -> g.talk.comments(pr)).stream()
        .map(FakeTalk.Comment::text)
        .filter(text -> text.startsWith("<!-- mainstay -->"))
        .toList();
  }

  @Override
  public void label(String who, int pr, String label) {
    does(g -> g.pulls.pull(pr).label(label, who));
  }

  @Override
  public void unlabel(String who, int pr, String label) {
    does(g -> g.pulls.pull(pr).unlabel(label, who));
  }

  @Override
  public Set<String> labels(int pr) {
    return at(g -> Set.copyOf(g.pulls.pull(pr).labels));
  }

  @Override
  public void arm(String who, int pr) {
    does(g -> g.pulls.pull(pr).autoMerge(Optional.of(who), who));
  }

  @Override
  public void disarm(String who, int pr) {
    does(g -> g.pulls.pull(pr).autoMerge(Optional.empty(), who));
  }

  @Override
  public void report(CommitSha tested, boolean good) {
    does(
        g ->
            g.checks.report(
                tested.value(), "ci", ACTIONS, Optional.of(good ? "success" : "failure")));
  }

  @Override
  public void close() {
    world.close();
  }
}
