package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RepoCommandTest {
  private static final String REPO = "git.example.org/team/app";

  @TempDir private Path directory;
  private final StringWriter said = new StringWriter();

  @BeforeEach
  void openToPostgres() throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void a_repository_is_connected_shown_and_disconnected() throws Exception {
    Path git = directory.resolve("app.git");
    assertThat(
            new ProcessBuilder("git", "init", "--quiet", "--bare", git.toString())
                .start()
                .waitFor())
        .isZero();
    assertThat(run(Main.commandLine(), "org", "create", "acme")).isZero();
    assertThat(run(Main.commandLine(), "repo", "show", "--org", "acme", REPO)).isEqualTo(1);
    assertThat(said.toString()).contains("is not connected");
    assertThat(
            run(
                Main.commandLine(),
                "repo",
                "connect",
                "--org",
                "acme",
                "--test-command",
                "make test",
                REPO,
                git.toString()))
        .isZero();
    assertThat(said.toString()).contains("Hook token, shown only now:");
    assertThat(run(Main.commandLine(), "repo", "show", "--org", "acme", REPO)).isZero();
    assertThat(said.toString()).contains(git.toString()).contains("make test");
    assertThat(run(Main.commandLine(), "repo", "disconnect", "--org", "acme", REPO)).isZero();
    assertThat(run(Main.commandLine(), "repo", "disconnect", "--org", "acme", REPO)).isEqualTo(1);
  }

  @Test
  void what_cannot_be_reached_or_does_not_exist_is_said() {
    assertThat(run(Main.commandLine(), "org", "create", "acme")).isZero();
    assertThat(run(Main.commandLine(), "repo", "connect", "--org", "acme", REPO, "/not/there"))
        .isEqualTo(1);
    assertThat(run(Main.commandLine(), "repo", "show", "--org", "acme", "nothing")).isEqualTo(1);
    assertThat(run(Main.commandLine(), "repo", "show", "--org", "nobody", REPO)).isEqualTo(1);
    assertThat(run(new CommandLine(new QueueReplay()), "--org", "acme", REPO, "main")).isNotZero();
    assertThat(said.toString().toLowerCase(Locale.ROOT)).contains("there is no queue for main");
  }

  private int run(CommandLine command, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    int at = command.getCommandName().equals("mainstay") ? 2 : 0;
    all.addAll(at, List.of("--data-dir", directory.resolve("data").toString()));
    return command
        .setOut(new PrintWriter(said, true))
        .setErr(new PrintWriter(said, true))
        .execute(all.toArray(String[]::new));
  }
}
