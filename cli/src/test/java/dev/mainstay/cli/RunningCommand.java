package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.shell.Shell;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A command at work in this very process, whose words can be read before it comes to its end. */
public final class RunningCommand {
  private static final int MINUTES = 5;

  private final Pattern awaited;
  private final CompletableFuture<String> seen = new CompletableFuture<>();
  private final CompletableFuture<Integer> ended;
  private final Words out = new Words();
  private final Words err = new Words();

  /** Text as it is written, looked through for what is awaited. */
  private final class Words extends Writer {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void write(char[] some, int start, int length) {
      text.append(some, start, length);
      Matcher found = awaited.matcher(text);
      if (found.find()) {
        seen.complete(found.group(1));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  private RunningCommand(Path directory, Pattern awaited, String... words) {
    this.awaited = awaited;
    var shell =
        new Shell(
            Map.of(),
            directory,
            InputStream.nullInputStream(),
            new PrintWriter(out),
            new PrintWriter(err),
            false);
    ended =
        CompletableFuture.supplyAsync(
            () -> Main.run(shell, words), task -> Thread.ofVirtual().start(task));
  }

  /** Starts a command of which this is awaited; the first group of the pattern is looked for. */
  public static RunningCommand start(Path directory, String awaited, String... words) {
    return new RunningCommand(directory, Pattern.compile(awaited), words);
  }

  /** Waits for what is awaited; fails where the command ends without it. */
  public String awaitSeen() throws Exception {
    CompletableFuture.anyOf(seen, ended).get(MINUTES, TimeUnit.MINUTES);
    assertThat(seen.isDone()).as("%s%s", out.text, err.text).isTrue();
    return seen.get();
  }

  public boolean hasEnded() {
    return ended.isDone();
  }

  /** Waits for the end. */
  public Cli.Ran end() throws Exception {
    int exitCode = ended.get(MINUTES, TimeUnit.MINUTES);
    return new Cli.Ran(exitCode, out.text.toString(), err.text.toString());
  }
}
