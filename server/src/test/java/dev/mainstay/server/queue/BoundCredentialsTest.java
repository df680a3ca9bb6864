package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static dev.mainstay.server.queue.QueueCalls.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.git.GitBackend;
import dev.mainstay.server.forge.git.GitHttpServer;
import dev.mainstay.server.forge.git.RecordingServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials of repositories: shown to their own host and port, and to nobody it points to. */
class BoundCredentialsTest {
  @TempDir private Path dir;
  private TestNode node;
  private TestRepository git;
  private QueueCalls queue;

  @BeforeEach
  void start() {
    node = TestNode.start();
    git = new TestRepository(dir);
    queue = new QueueCalls(node, node.token(), "bound", "main");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void a_password_of_git_does_not_follow_to_another_port() {
    try (var thief = new RecordingServer(new GitBackend(dir)::serve);
        var first = RecordingServer.pointingTo(thief.address())) {
      String address = first.address().replace("//", "//bot:s3cr3t@") + "/app.git";
      var answer = queue.call("connectRepository", "'address':'%s'".formatted(address));
      assertThat(first.asked()).isNotEmpty();
      assertThat(thief.asked()).isEmpty();
      refused(answer, 409, "repository_unreachable");
      assertThat(answer.body()).contains("at another address").doesNotContain("s3cr3t");
    }
  }

  @Test
  void a_token_of_a_host_does_not_follow_to_another_port() {
    try (var thief = new RecordingServer(exchange -> exchange.sendResponseHeaders(404, -1));
        var first = RecordingServer.pointingTo(thief.address())) {
      var answer =
          queue.call(
              "connectRepository",
              "'address':'%s/acme/app','kind':'gitea','credentials':{'token':'s3cr3t'}"
                  .formatted(first.address()));
      refused(answer, 409, "repository_unreachable");
      assertThat(first.asked()).isNotEmpty();
      assertThat(thief.asked()).isEmpty();
    }
  }

  @Test
  void a_repository_with_another_name_at_the_same_host_is_found_there() {
    try (var server = new GitHttpServer(dir)) {
      String address = server.address(git.path(), "bot:s3cr3t@");
      server.rename("old.git", "app.git");
      queue.ok(
          "connectRepository",
          "'address':'%s','testCommand':'true'".formatted(address.replace("app.git", "old.git")));
      queue.ok("createQueue", "'requiredStatuses':[]");
      git.open(1, "1");
      queue.ok("submitPullRequest", 1);
      until(
          () -> queue.ok("getSubmittedPullRequest", 1),
          pr -> pr.path("state").asString().equals("MERGED"));
    }
  }
}
