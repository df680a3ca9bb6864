package dev.mainstay.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.SharedNode;
import dev.mainstay.cli.github.AppsOfGitHub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepoCommandTest {
  private static final String REPO = "git.example.org/team/app";

  @TempDir private Path directory;

  @Test
  void a_repository_is_connected_shown_and_disconnected() throws Exception {
    Path git = directory.resolve("app.git");
    assertThat(
            new ProcessBuilder("git", "init", "--quiet", "--bare", git.toString())
                .start()
                .waitFor())
        .isZero();
    assertThat(run("org create connected").exitCode()).isZero();
    var unknown = run("repo show --org connected " + REPO);
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("is not connected");
    var connected =
        run("repo connect --org connected --test-command", "make test", REPO, git.toString());
    assertThat(connected.exitCode()).isZero();
    assertThat(connected.out()).contains("Hook token, shown only now:");
    var shown = run("repo show --org connected " + REPO);
    assertThat(shown.exitCode()).isZero();
    assertThat(shown.out()).contains(git.toString()).contains("make test");
    assertThat(run("repo show --json --org connected " + REPO).out())
        .startsWith(
            "{\"repo\":{\"host\":\"git.example.org\",\"owner\":\"team\",\"name\":\"app\"},\"kind\":\"git\",\"address\":")
        .contains("\"testCommand\":\"make test\",\"testTimeoutMinutes\":60,\"connectedAt\":");
    var checked = run("repo check --org connected " + REPO);
    assertThat(checked.exitCode()).as(checked.err()).isZero();
    assertThat(run("repo check --json --org connected " + REPO).out())
        .contains("{\"ok\":true,\"findings\":[");
    assertThat(run("repo disconnect --org connected " + REPO).exitCode()).isZero();
    assertThat(run("repo check --org connected " + REPO).err()).contains("is not connected");
    assertThat(run("repo disconnect --org connected " + REPO).exitCode()).isEqualTo(1);
  }

  @Test
  void what_cannot_be_reached_or_does_not_exist_is_said() {
    assertThat(run("org create unreached").exitCode()).isZero();
    assertThat(run("repo connect --org unreached %s /not/there".formatted(REPO)).exitCode())
        .isEqualTo(1);
    assertThat(run("repo show --org unreached nothing").exitCode()).isEqualTo(2);
    assertThat(run("repo show --org nobody " + REPO).exitCode()).isEqualTo(1);
    var replay = run("queue replay --org unreached %s main".formatted(REPO));
    assertThat(replay.exitCode()).isEqualTo(1);
    assertThat(replay.err()).contains("There is no queue for main");
  }

  @Test
  void credentials_are_given_in_one_way_and_the_repository_is_told_by_its_address()
      throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "not-printed\n");
    assertThat(run("org create credentialed").exitCode()).isZero();
    String https = "repo connect --org credentialed https://127.0.0.1:1/team/app";
    var unknown = run(https + " --token-file token");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("github, gitea").doesNotContain("not-printed");
    assertThat(run(https + " --kind svn --token-file " + token).err()).contains("--kind is one of");
    assertThat(run(https + " --token-file token --app-id 1 --app-key-file token").err())
        .contains("not both");
    assertThat(run(https + " --app-id 1").err()).contains("--app-key-file");
    assertThat(run(https + " --token-file nothing").err()).contains("cannot be read");
    assertThat(run("repo connect /srv/git/app.git").err()).contains("HOST/OWNER/NAME");
  }

  @Test
  void a_hook_secret_that_was_given_is_used_and_not_shown() throws IOException {
    Files.writeString(directory.resolve("key"), AppsOfGitHub.KEY);
    Files.writeString(directory.resolve("hook"), "given-secret\n");
    Files.writeString(directory.resolve("long"), "x".repeat(201));
    assertThat(run("org create hooked").exitCode()).isZero();
    try (var github = new ConnectedGitHub()) {
      String connect = "repo connect --org hooked %s/acme/".formatted(github.address());
      String app = " --app-id 1 --app-key-file key";
      assertThat(run(connect + "app --hook-secret-file hook").err()).contains("a token or an App");
      assertThat(run(connect + "app --hook-secret-file long" + app).err()).contains("at most 200");
      for (String how : List.of("", " --json")) {
        var given = run(connect + "app --hook-secret-file hook" + app + how);
        assertThat(given.exitCode()).as(given.err()).isZero();
        assertThat(given.out()).contains("acme").doesNotContain("given-secret");
      }
      // Another repository of the same App gets what the App has.
      assertThat(run(connect + "other" + app).out())
          .contains("Hook secret, shown only now: given-secret");
    }
  }

  private Cli.Ran run(String command, String... arguments) {
    return Cli.in(directory)
        .with(Map.of("MAINSTAY_DATA_DIR", SharedNode.data().toString()))
        .run(command, arguments);
  }
}
