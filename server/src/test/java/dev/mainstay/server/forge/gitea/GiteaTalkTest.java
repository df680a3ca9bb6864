package dev.mainstay.server.forge.gitea;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Host;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a real Gitea tells of comments. */
class GiteaTalkTest extends GiteaScene {
  private static final String WRITER = "wendy";

  @BeforeEach
  void people() {
    new GiteaTalkers(gitea).may(WRITER, Host.Permission.WRITE);
  }

  private long say(int pr, String text) {
    return new GiteaTalkers(gitea).say(WRITER, pr, text);
  }

  private List<Host.Reaction> answers(long comment) {
    return new GiteaTalkers(gitea).answers(comment);
  }

  @Test
  void comments_are_told_once_in_their_order_whatever_is_edited() {
    open(1, Edit.on(main).says("One").file("1.txt", "1"));
    String none = api.comments(Optional.empty()).mark();
    assertThat(api.comments(Optional.of(none)).all()).isEmpty();
    long before = say(1, "/mainstay merge");
    Host.Comments first = api.comments(Optional.of(none));
    assertThat(first.all()).extracting(Host.Comment::id).containsExactly("" + before);
    assertThat(first.all().getFirst().author()).isEqualTo(WRITER);
    assertThat(first.all().getFirst().pr()).isEqualTo(new PullRequestRef(1));

    String mark = api.comments(Optional.empty()).mark();
    assertThat(api.comments(Optional.of(mark)).all()).isEmpty();
    gitea
        .as(WRITER)
        .patch(gitea.path() + "/issues/comments/" + before, Map.of("body", "/mainstay cancel"));
    gitea.as(GiteaWorld.ADA).post(gitea.path() + "/issues", Map.of("title", "An issue"));
    say(2, "/mainstay merge");
    for (int i = 0; i < 15; i++) {
      say(1, "/mainstay help " + i);
    }
    long longest = say(1, "x".repeat(60_000) + "\n/mainstay merge");
    Host.Comments next = api.comments(Optional.of(mark));
    assertThat(next.all()).hasSize(16);
    assertThat(next.all()).extracting(Host.Comment::id).doesNotContain("" + before);
    assertThat(next.all().getFirst().lines()).containsExactly("/mainstay help 0");
    assertThat(next.all().getLast().id()).isEqualTo("" + longest);
    assertThat(next.all().getLast().lines()).containsExactly("/mainstay merge");
    assertThat(api.comments(Optional.of(next.mark())).all()).isEmpty();

    api.react(new PullRequestRef(1), "" + longest, Host.Reaction.DONE);
    api.react(new PullRequestRef(1), "" + longest, Host.Reaction.DONE);
    assertThat(answers(longest)).containsExactly(Host.Reaction.DONE);
    gitea.as(WRITER).delete(gitea.path() + "/issues/comments/" + longest);
    api.react(new PullRequestRef(1), "" + longest, Host.Reaction.REFUSED);
  }
}
