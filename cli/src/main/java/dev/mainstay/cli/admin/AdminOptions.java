package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The place of the data, and whether people or programs read the answer. */
public final class AdminOptions extends DatabaseOptions {
  private final Shell shell;

  @Option(names = "--json", description = "Print the answer as JSON, as the API would give it.")
  private boolean json;

  public AdminOptions(Shell shell) {
    super(shell);
    this.shell = shell;
  }

  /** Prints an answer as JSON or by the printer. */
  public void answer(JsonNode answer, Runnable printer) {
    if (json) {
      shell.out().println(new String(Json.write(answer), StandardCharsets.UTF_8));
    } else {
      printer.run();
    }
    shell.out().flush();
  }

  /** Success with nothing to say but a sentence. */
  void done(String sentence) {
    answer(Json.object(), () -> shell.out().println(sentence));
  }
}
