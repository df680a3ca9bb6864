package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command line as a process of its own, as a person or a script calls it. */
record CliProcess(int exitCode, String out, String err) {

  /** Runs it to its end; arguments are split at spaces. */
  static CliProcess run(Path directory, String url, String token, String arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(Arrays.asList(arguments.split(" ", -1)));
    Path err = Files.createTempFile(directory, "stderr", "");
    var builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                System.getenv("PATH"),
                "MAINSTAY_URL",
                url,
                "MAINSTAY_API_TOKEN",
                token,
                "GITHUB_ACTIONS",
                "true",
                "GITHUB_REPOSITORY",
                "acme/shop",
                "GITHUB_SHA",
                "abc"));
    var process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new CliProcess(process.exitValue(), out, Files.readString(err));
  }
}
