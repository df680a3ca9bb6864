package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.connection.Connections;
import dev.mainstay.server.connection.Wish;
import dev.mainstay.server.forge.HostCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "connect",
    mixinStandardHelpOptions = true,
    description = {
      "Connect a repository to where its code lives, or change how it is connected.",
      "At GitHub, GitLab, Gitea or Forgejo: its address and a token (or an App). Plain git: the repository"
          + " and its address, where pull request N is refs/pull/N/head."
    })
final class RepoConnect implements Runnable {
  private static final int MOST_MINUTES = 24 * 60;
  private static final int MOST_BYTES = 20_000;
  private static final int LONGEST_HOOK_SECRET = 200;
  private static final Pattern AT_HOST =
      Pattern.compile("https?://(?:[^/@]*@)?([^/:]+)(?::\\d+)?/(.+?)/?(?:\\.git)?/?");

  private final Shell shell;
  @Mixin private AdminOptions options;
  @Mixin private OrgOption org;

  @Parameters(
      paramLabel = "[REPO] ADDRESS",
      arity = "1..2",
      description = {
        "The repository, HOST/OWNER/NAME, where the address does not tell it.",
        "A path, or an http(s) or ssh address. A password in it is encrypted."
      })
  private List<String> names;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "git, github, gitea or gitlab; found out where it is not said.")
  private @Nullable String kind;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "A file that holds a token for the host's API.")
  private @Nullable Path token;

  @Option(names = "--app-id", paramLabel = "ID", description = "The id of a GitHub App.")
  private @Nullable String app;

  @Option(
      names = "--app-key-file",
      paramLabel = "FILE",
      description = "The private key of the App, as GitHub hands it out.")
  private @Nullable Path appKey;

  @Option(
      names = "--hook-secret-file",
      paramLabel = "FILE",
      description = "The secret that the webhook has at the host already; made, if not given.")
  private @Nullable Path hookSecret;

  @Option(
      names = "--test-command",
      paramLabel = "COMMAND",
      description =
          "Run by a shell in a clean checkout of each test branch; its end is the status"
              + " mainstay/test.")
  private @Nullable String command;

  @Option(
      names = "--test-timeout",
      paramLabel = "MINUTES",
      defaultValue = "60",
      description = "When the test command is stopped (60).")
  private int minutes;

  RepoConnect(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (minutes < 1 || minutes > MOST_MINUTES) {
      throw new WrongCall("A test command may take 1 to %d minutes.".formatted(MOST_MINUTES));
    }
    String address = names.getLast();
    RepoName repo = names.size() == 2 ? Repositories.repo(names.getFirst()) : named(address);
    var wish =
        new Wish(
            address,
            Optional.ofNullable(kind),
            credentials(),
            hookSecret(),
            Optional.ofNullable(command).filter(c -> !c.isBlank()),
            Duration.ofMinutes(minutes));
    Repositories.withQueues(
        options,
        org.slug(),
        (organization, queues) -> {
          checkKind(queues.connections().kinds());
          switch (queues.connections().connect(organization.id(), repo, wish)) {
            case Connections.Connected connected -> print(connected);
            case Connections.NotReachable not -> throw new Refusal(not.sentence());
          }
        });
  }

  private void checkKind(List<String> kinds) {
    if (kind != null && !kinds.contains(kind)) {
      throw new WrongCall("--kind is one of %s, not %s.".formatted(String.join(", ", kinds), kind));
    }
  }

  /** The repository that an address of a host tells. */
  private static RepoName named(String address) {
    Matcher at = AT_HOST.matcher(address);
    return (at.matches()
            ? RepoName.parse(at.group(1) + "/" + at.group(2))
            : Optional.<RepoName>empty())
        .orElseThrow(
            () ->
                new WrongCall(
                    "Name the repository too: `mainstay repo connect HOST/OWNER/NAME %s`."
                        .formatted(Table.harmless(address))));
  }

  private Optional<HostCredentials> credentials() {
    if (token != null && (app != null || appKey != null)) {
      throw new WrongCall("Give a token or an App, not both.");
    }
    if ((app == null) != (appKey == null)) {
      throw new WrongCall("An App needs --app-id and --app-key-file.");
    }
    if (token != null) {
      return Optional.of(new HostCredentials.Token(secret(token)));
    }
    return app == null || appKey == null
        ? Optional.empty()
        : Optional.of(new HostCredentials.App(app, secret(appKey)));
  }

  private Optional<String> hookSecret() {
    if (hookSecret == null) {
      return Optional.empty();
    }
    if (token == null && app == null) {
      throw new WrongCall("--hook-secret-file goes with a token or an App.");
    }
    String text = secret(hookSecret);
    if (text.length() > LONGEST_HOOK_SECRET) {
      throw new WrongCall(
          "A hook secret has at most %d characters.".formatted(LONGEST_HOOK_SECRET));
    }
    return Optional.of(text);
  }

  private String secret(Path file) {
    try (var in = Files.newInputStream(shell.resolve(file))) {
      String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      if (text.isBlank()) {
        throw new WrongCall("%s is empty.".formatted(file));
      }
      return text.strip();
    } catch (IOException e) {
      throw new WrongCall("%s cannot be read.".formatted(file));
    }
  }

  private void print(Connections.Connected connected) {
    ObjectNode json = Repositories.json(connected.connection());
    connected.hookToken().ifPresent(t -> json.put("hookToken", t));
    // Who gave the secret knows it.
    Optional<String> made = connected.hookSecret().filter(_ -> hookSecret == null);
    made.ifPresent(s -> json.put("hookSecret", s));
    connected.warnings().forEach(json.withArray("warnings")::add);
    var findings = new Findings(connected.findings());
    findings.addTo(json);
    options.answer(
        json,
        () -> {
          shell.out().printf("Connected %s.%n", connected.connection().repo());
          Repositories.print(connected.connection(), shell);
          connected
              .hookToken()
              .ifPresent(t -> shell.out().printf("Hook token, shown only now: %s%n", t));
          made.ifPresent(s -> shell.out().printf("Hook secret, shown only now: %s%n", s));
          findings.print(shell);
          connected
              .warnings()
              .forEach(sentence -> shell.out().println("warning: " + Table.harmless(sentence)));
        });
  }
}
