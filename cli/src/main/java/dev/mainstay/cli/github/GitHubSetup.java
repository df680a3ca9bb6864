package dev.mainstay.cli.github;

import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.github.NewApp;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "setup",
    mixinStandardHelpOptions = true,
    description = {
      "Make a GitHub App for this Mainstay, with the permissions and hooks it needs.",
      "Shows an address for your browser; GitHub asks there, and the key of the App comes into a"
          + " folder here."
    })
final class GitHubSetup implements Runnable {
  private static final int MOST_MINUTES = 60;
  private static final int FIRST_PORT = 1024;
  private static final int LAST_PORT = 65_535;

  private final Shell shell;
  private final Duration minute;

  @Option(
      names = "--url",
      paramLabel = "URL",
      required = true,
      description = "Where GitHub reaches this Mainstay, such as https://mainstay.example.com.")
  private String url;

  @Option(
      names = "--org",
      paramLabel = "ORGANIZATION",
      description = "The organization at GitHub that is to own the App; you, if not given.")
  private @Nullable String organization;

  @Option(
      names = "--github",
      paramLabel = "URL",
      defaultValue = "https://github.com",
      description = "Your GitHub, if it is not https://github.com.")
  private String github;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The name of the App, which nobody else's may have; GitHub lets you change it.")
  private @Nullable String name;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "A folder to make for what belongs to the App (github-app-NAME).")
  private @Nullable Path out;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "The port of this machine for your browser; any that is free, if not given.")
  private int port;

  @Option(
      names = "--patience",
      paramLabel = "MINUTES",
      defaultValue = "10",
      description = "How long to wait for your browser (10).")
  private int patience;

  @Option(names = "--json", description = "Print what was made as JSON, and the address on stderr.")
  private boolean json;

  GitHubSetup(Shell shell) {
    this(shell, Duration.ofMinutes(1));
  }

  /** With minutes of another length. */
  GitHubSetup(Shell shell, Duration minute) {
    this.shell = shell;
    this.minute = minute;
  }

  @Override
  public void run() {
    checkNumbers();
    var proposal = Proposal.read(url, github, organization, name);
    var folder = AppFolder.planned(shell, Optional.ofNullable(out));
    try (var door = SetupDoor.at(port)) {
      door.open(proposal.page(door));
      invite(door);
      SetupDoor.Visit visit = door.await(minute.multipliedBy(patience)).orElseThrow(this::late);
      finish(visit, proposal, folder);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal("Interrupted.");
    }
  }

  private void checkNumbers() {
    if (patience < 1 || patience > MOST_MINUTES) {
      throw new WrongCall(
          "--patience is 1 to %d minutes: GitHub's codes live no longer.".formatted(MOST_MINUTES));
    }
    if (port != 0 && (port < FIRST_PORT || port > LAST_PORT)) {
      throw new WrongCall("--port is %d to %d.".formatted(FIRST_PORT, LAST_PORT));
    }
  }

  private void invite(SetupDoor door) {
    PrintWriter words = json ? shell.err() : shell.out();
    words.printf("Open %s in a browser of this machine.%n", door.address());
    words.printf(
        "Without a browser here, let one elsewhere come in by `ssh -L %d:127.0.0.1:%d"
            + " THIS-MACHINE`, and open the same address there.%n",
        door.port(), door.port());
    words.printf("Waiting for %d minutes; Ctrl-C gives up and leaves nothing.%n", patience);
    words.flush();
  }

  private Refusal late() {
    return new Refusal(
        "No browser came back from GitHub within %d minutes, and nothing was stored: start again, with more --patience if need be."
            .formatted(patience));
  }

  private void finish(SetupDoor.Visit visit, Proposal proposal, AppFolder folder)
      throws InterruptedException {
    try {
      NewApp app = exchanged(visit.code(), proposal);
      Path kept = kept(app, proposal, folder);
      visit.show(SetupPage.made(app, kept.toString()));
      new NextSteps(app, proposal, kept).print(shell.out(), json);
    } catch (Refusal e) {
      visit.show(SetupPage.failed(String.valueOf(e.getMessage())));
      throw e;
    } finally {
      visit.show(SetupPage.failed("Something went wrong: see what the command says."));
    }
  }

  private static NewApp exchanged(String code, Proposal proposal) {
    try {
      return NewApp.of(proposal.site(), code);
    } catch (ForgeUnavailable | CredentialsRefused e) {
      throw new Refusal(
          "%s Nothing was stored. If there is a new App at %s, delete it, and start again."
              .formatted(Table.harmless(String.valueOf(e.getMessage())), proposal.apps()));
    }
  }

  private static Path kept(NewApp app, Proposal proposal, AppFolder folder) {
    Path place = folder.of(app);
    try {
      folder.keep(app, place);
      return place;
    } catch (IOException | IllegalStateException e) {
      throw new Refusal(
          "The App %s was made, but its key could not be stored in %s: %s. Delete the App at %s/%s, and start again."
              .formatted(
                  app.slug(), place, Table.harmless(e.toString()), proposal.apps(), app.slug()));
    }
  }
}
