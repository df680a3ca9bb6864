package dev.mainstay.cli;

import dev.mainstay.cli.shell.Shell;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The command line in this very process, with a directory, variables and input of its own. */
public record Cli(Path directory, Map<String, String> environment, String input) {

  /** The output of a command that came to its end, and its exit code. */
  public record Ran(int exitCode, String out, String err) {}

  public static Cli in(Path directory) {
    return new Cli(directory, Map.of("PATH", System.getenv("PATH")), "");
  }

  public Cli with(Map<String, String> variables) {
    var all = new HashMap<>(environment);
    all.putAll(variables);
    return new Cli(directory, Map.copyOf(all), input);
  }

  public Cli reading(String text) {
    return new Cli(directory, environment, text);
  }

  /** Calls a server as a job of GitHub Actions does, for acme/shop. */
  public Cli inCiJob(String url, String token) {
    return with(
        Map.of(
            "MAINSTAY_URL", url,
            "MAINSTAY_API_TOKEN", token,
            "GITHUB_ACTIONS", "true",
            "GITHUB_REPOSITORY", "acme/shop",
            "GITHUB_REF", "refs/pull/12/merge",
            "GITHUB_SHA", "abc",
            "GITHUB_RUN_ATTEMPT", "2"));
  }

  /** Runs a command that is split at spaces, and then the arguments as they are. */
  public Ran run(String command, String... arguments) {
    return call(
        Stream.concat(Arrays.stream(command.split(" ", -1)), Arrays.stream(arguments))
            .toArray(String[]::new));
  }

  /** Runs a command as it is. */
  public Ran call(String... words) {
    var out = new StringWriter();
    var err = new StringWriter();
    var shell =
        new Shell(
            environment,
            directory,
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintWriter(out),
            new PrintWriter(err),
            false);
    int exitCode = Main.run(shell, words);
    return new Ran(exitCode, out.toString(), err.toString());
  }
}
