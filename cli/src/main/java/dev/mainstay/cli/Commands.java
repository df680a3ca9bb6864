package dev.mainstay.cli;

import dev.mainstay.cli.admin.BackupCommand;
import dev.mainstay.cli.admin.DatabaseCommand;
import dev.mainstay.cli.admin.KeysCommand;
import dev.mainstay.cli.admin.OrgCommand;
import dev.mainstay.cli.admin.PeopleCommand;
import dev.mainstay.cli.admin.RepoCommand;
import dev.mainstay.cli.admin.RestoreCommand;
import dev.mainstay.cli.admin.ServeCommand;
import dev.mainstay.cli.agent.McpCommand;
import dev.mainstay.cli.demo.DemoCommand;
import dev.mainstay.cli.doctor.DoctorCommand;
import dev.mainstay.cli.event.WebhookCommand;
import dev.mainstay.cli.github.GitHubCommand;
import dev.mainstay.cli.health.MonitorCommand;
import dev.mainstay.cli.health.TestsCommand;
import dev.mainstay.cli.health.TicketsCommand;
import dev.mainstay.cli.health.UploadsCommand;
import dev.mainstay.cli.queue.PrCommand;
import dev.mainstay.cli.queue.QueueCommand;
import dev.mainstay.cli.queue.StatusCommand;
import dev.mainstay.cli.simulate.SimulateCommand;
import dev.mainstay.cli.upload.RunTestsCommand;
import dev.mainstay.cli.upload.UploadCommand;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Every command by its name, in the order of the help. To look through the class of a command takes
 * longer than most commands do, so only that of the one that is called is looked through.
 */
final class Commands {
  private static final List<String> NAMES =
      List.of(
          "serve",
          "org",
          "keys",
          "people",
          "repo",
          "github",
          "doctor",
          "backup",
          "restore",
          "database",
          "upload",
          "test",
          "queue",
          "pr",
          "status",
          "monitor",
          "tests",
          "uploads",
          "tickets",
          "webhook",
          "mcp",
          "simulate",
          "demo",
          "whoami",
          "completion",
          "version",
          "help");

  private Commands() {}

  /** Adds the command that the first arguments name, or all where they name none. */
  static CommandLine addTo(CommandLine main, IFactory factory, String... args) {
    Optional<String> called = Arrays.stream(args).findFirst().filter(Commands::namesOne);
    if (called.isEmpty()) {
      NAMES.forEach(name -> main.addSubcommand(name, new CommandLine(type(name), factory)));
      return main;
    }
    String name = called.get();
    return main.addSubcommand(
        name,
        part(type(name), factory, Arrays.stream(args).skip(1).findFirst().orElse(""))
            .map(part -> around(name, type(name), part, factory))
            .orElseGet(() -> new CommandLine(type(name), factory)));
  }

  /** The part of a command that the word after it names: a class or a method. */
  private static Optional<CommandLine> part(Class<?> type, IFactory factory, String word) {
    Command command = Objects.requireNonNull(type.getAnnotation(Command.class));
    Stream<AnnotatedElement> parts =
        Stream.concat(
            Arrays.stream(command.subcommands()), Arrays.stream(type.getDeclaredMethods()));
    return parts
        .filter(part -> isNamed(part, word))
        .map(part -> new CommandLine(part, factory))
        .findFirst();
  }

  private static boolean isNamed(AnnotatedElement part, String word) {
    Command command = part.getAnnotation(Command.class);
    return command != null && command.name().equals(word);
  }

  /** A command with one part, which is all that is known of it. */
  private static CommandLine around(
      String name, Class<?> type, CommandLine part, IFactory factory) {
    try {
      var spec = CommandSpec.wrapWithoutInspection(factory.create(type), factory).name(name);
      return new CommandLine(spec, factory).addSubcommand(part);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The help and the completion are of all the others. */
  private static boolean namesOne(String word) {
    return NAMES.contains(word) && !word.equals("help") && !word.equals("completion");
  }

  private static Class<?> type(String name) {
    return switch (name) {
      case "serve" -> ServeCommand.class;
      case "org" -> OrgCommand.class;
      case "keys" -> KeysCommand.class;
      case "people" -> PeopleCommand.class;
      case "repo" -> RepoCommand.class;
      case "github" -> GitHubCommand.class;
      case "doctor" -> DoctorCommand.class;
      case "backup" -> BackupCommand.class;
      case "restore" -> RestoreCommand.class;
      case "database" -> DatabaseCommand.class;
      case "upload" -> UploadCommand.class;
      case "test" -> RunTestsCommand.class;
      case "queue" -> QueueCommand.class;
      case "pr" -> PrCommand.class;
      case "status" -> StatusCommand.class;
      case "monitor" -> MonitorCommand.class;
      case "tests" -> TestsCommand.class;
      case "uploads" -> UploadsCommand.class;
      case "tickets" -> TicketsCommand.class;
      case "webhook" -> WebhookCommand.class;
      case "mcp" -> McpCommand.class;
      case "simulate" -> SimulateCommand.class;
      case "demo" -> DemoCommand.class;
      case "whoami" -> WhoamiCommand.class;
      case "completion" -> CompletionCommand.class;
      case "version" -> VersionCommand.class;
      case "help" -> HelpCommand.class;
      default -> throw new IllegalArgumentException(name);
    };
  }
}
