package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a process of its own, as a script calls it, in a locale that knows no ö. */
class ProcessTest {
  @TempDir private Path directory;

  @Test
  void a_command_has_the_streams_variables_and_directory_of_its_shell_and_gives_its_exit_code()
      throws Exception {
    Path err = directory.resolve("stderr.txt");
    var builder =
        new ProcessBuilder(
                "sh",
                "-c",
                "export NAME=$(printf 'J\\303\\266rg'); exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "test",
                "--retries=0",
                "--",
                "sh",
                "-c",
                "cat; pwd; echo \"$NAME\" >&2; touch junit.xml; exit 5")
            .directory(directory.toFile())
            .redirectError(err.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH", System.getenv("PATH"),
                "MAINSTAY_URL", "http://127.0.0.1:1",
                "MAINSTAY_API_TOKEN", "mst_x",
                "GITHUB_ACTIONS", "true",
                "GITHUB_REPOSITORY", "acme/shop"));
    var process = builder.start();
    try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
      in.write("from standard input\n");
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(Files.readString(err)).isEqualTo(5);
    assertThat(out).isEqualTo("from standard input\n%s\n".formatted(directory.toRealPath()));
    assertThat(err).content().contains("Jörg").contains("warning: the results were not sent");
  }
}
