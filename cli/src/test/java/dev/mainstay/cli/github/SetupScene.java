package dev.mainstay.cli.github;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A command that makes an App; the test is its browser, and GitHub, over HTTP. */
abstract class SetupScene {
  protected static final String CODE = "a180b1a3d263c81bc6441d7b990bae27d4c10679";
  protected static final String URL = "https://mainstay.example.com";

  @TempDir protected Path directory;
  protected AppsOfGitHub github;

  @BeforeEach
  void begin() throws IOException {
    github = new AppsOfGitHub();
  }

  @AfterEach
  void end() {
    github.close();
  }

  protected RunningCommand start(String... more) {
    String[] words = {"github", "setup", "--url", URL, "--github", github.address()};
    return RunningCommand.start(
        directory,
        "Open (http://127\\.0\\.0\\.1:\\d+/\\S+) in a browser of this machine",
        Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new));
  }

  protected List<String> files() throws IOException {
    try (var files = Files.walk(directory)) {
      return files.skip(1).map(f -> directory.relativize(f).toString()).sorted().toList();
    }
  }

  protected static void assertNoSecret(Cli.Ran ran) {
    assertThat(ran.out() + ran.err())
        .doesNotContain(AppsOfGitHub.SECRET, "PRIVATE KEY", "never-used", CODE);
  }
}
