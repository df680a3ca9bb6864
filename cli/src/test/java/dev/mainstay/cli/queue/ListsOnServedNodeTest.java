package dev.mainstay.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.SharedNode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commands that list what a key can see, on a served node. */
class ListsOnServedNodeTest {
  @Test
  void a_key_sees_itself_its_repositories_its_queues_and_what_was_submitted() {
    var cli =
        Cli.in(Path.of("/"))
            .with(
                Map.of(
                    "MAINSTAY_URL", SharedNode.node().url(),
                    "MAINSTAY_API_TOKEN", SharedNode.newOrganization("listed")));
    assertThat(cli.run("whoami").out())
        .contains(SharedNode.node().url())
        .containsPattern("listed +[-0-9a-f]{36} +read,upload,queue,admin");
    assertThat(cli.run("whoami --json").out()).startsWith("{\"organization\":\"listed\"");
    assertThat(cli.run("queue list").out()).contains("There is no queue");
    assertThat(cli.run("repo list").out()).contains("There is none");
    for (String name : new String[] {"app", "web"}) {
      assertThat(cli.run("queue create --branch dev --repo git.example/a/" + name).exitCode())
          .isZero();
    }
    assertThat(cli.run("queue list").out())
        .containsPattern("git.example/a/app +dev +RUNNING +single +0")
        .contains("git.example/a/web");
    assertThat(cli.run("queue list --repo git.example/a/app").out().lines()).hasSize(2);
    assertThat(cli.run("repo list").out()).containsPattern("git.example/a/web +no +private");
    assertThat(cli.run("repo list --repo git.example/a/web").out().lines()).hasSize(2);
    assertThat(cli.run("repo list --repo git.example/a/other").out()).contains("There is none");
    assertThat(cli.run("repo set --repo git.example/a/web --public-pages true").out())
        .isEqualTo("Everybody may look at its pages.\n");
    assertThat(cli.run("repo list").out())
        .containsPattern("git.example/a/web +no +public")
        .containsPattern("git.example/a/app +no +private");
    assertThat(cli.run("pr submit 7 --branch dev --repo git.example/a/app").exitCode()).isZero();
    assertThat(cli.run("pr list --branch dev --repo git.example/a/app").out())
        .containsPattern("#7 +NOT_READY");
    var watched = cli.run("pr watch 7 --branch dev --repo git.example/a/app --interval 5");
    assertThat(watched.exitCode()).isEqualTo(1);
    assertThat(watched.err()).contains("#7 waits for a person: Connect a forge");
    var reported =
        cli.run(
            "status report ci/build success --run no-such --branch dev --repo git.example/a/app");
    assertThat(reported.exitCode()).isEqualTo(1);
    assertThat(reported.err()).contains("no such");
  }
}
