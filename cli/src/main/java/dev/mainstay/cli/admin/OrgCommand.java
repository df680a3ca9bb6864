package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.Storage;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.access.ReservedSlugs;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Logs;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "org",
    mixinStandardHelpOptions = true,
    description =
        "Organizations: each has its own keys, repositories and data. Works on the database itself,"
            + " whether the service runs or not.")
public final class OrgCommand implements Runnable {
  private final Shell shell;
  @Spec private CommandSpec spec;

  public OrgCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Make an organization. Then `mainstay keys create --org SLUG` gives it a key.")
  void create(
      @Mixin AdminOptions options,
      @Parameters(paramLabel = "SLUG", description = "Its name in addresses; it never changes.")
          String slug,
      @Option(names = "--name", paramLabel = "NAME", description = "What people call it (SLUG).")
          @Nullable String name) {
    if (!slug.matches(Organization.SLUG_FORM)) {
      throw new WrongCall(
          "A slug has lower case letters, digits and inner hyphens, at most 63: %s does not fit."
              .formatted(slug));
    }
    ReservedSlugs.fault(slug)
        .ifPresent(
            fault -> {
              throw new WrongCall(fault);
            });
    String label = checkedName(name == null ? slug : name);
    withAccess(
        options,
        access -> {
          if (access.createOrganization(slug, label).isEmpty()) {
            throw new Refusal("There is an organization %s already.".formatted(slug));
          }
          options.done("Made organization %s.".formatted(slug));
        });
  }

  @Command(name = "list", mixinStandardHelpOptions = true, description = "List all organizations.")
  void list(@Mixin AdminOptions options) {
    withAccess(
        options,
        access -> {
          var table = new Table("SLUG", "NAME", "CREATED");
          var answer = Json.object();
          var list = answer.putArray("organizations");
          for (Organization one : access.organizations()) {
            String made = one.createdAt().toString();
            table.row(one.slug(), one.name(), made);
            list.addObject().put("slug", one.slug()).put("name", one.name()).put("createdAt", made);
          }
          options.answer(answer, () -> table.print(shell));
        });
  }

  @Command(
      name = "set",
      mixinStandardHelpOptions = true,
      description = "Change an organization's settings.")
  void set(
      @Mixin AdminOptions options,
      @Parameters(paramLabel = "SLUG") String slug,
      @Option(names = "--name", paramLabel = "NAME", description = "What people call it.")
          @Nullable String name,
      @Option(
              names = "--retention",
              paramLabel = "DAYS",
              description =
                  "How long test results are kept that come from now on: 30, 90, 365 or 1095 (90).")
          @Nullable Integer retention,
      @Option(
              names = "--ticket-url",
              paramLabel = "URL",
              description =
                  "Where tickets are, with {id} for theirs: https://acme.atlassian.net/browse/{id}."
                      + " Empty for Mainstay's own page.")
          @Nullable String ticketUrl,
      @Option(
              names = "--feature",
              paramLabel = "NAME=on|off",
              description = "Switch a feature: most-common-failures (off).")
          @Nullable Map<String, String> features) {
    if (name == null && retention == null && ticketUrl == null && features == null) {
      throw new WrongCall(
          "Nothing to change: give --name, --retention, --ticket-url or --feature.");
    }
    if (ticketUrl != null && !ticketUrl.isEmpty() && !ticketUrl.matches(Organization.TICKET_URL)) {
      throw new WrongCall("A ticket address begins with http or https and holds {id}.");
    }
    checkFeatures(features == null ? Map.of() : features);
    if (retention != null && !Organization.RETENTION_DAYS.contains(retention)) {
      throw new WrongCall("Results are kept for 30, 90, 365 or 1095 days.");
    }
    String label = name == null ? "" : checkedName(name);
    withAccess(
        options,
        access -> {
          boolean known =
              (name == null || access.renameOrganization(slug, label))
                  && (retention == null || access.setRetention(slug, retention))
                  && (ticketUrl == null || access.setTicketUrl(slug, ticketUrl))
                  && (features == null || setFeatures(access, slug, features));
          if (!known) {
            throw unknown(slug);
          }
          options.done("Changed organization %s.".formatted(slug));
        });
  }

  private static void checkFeatures(Map<String, String> features) {
    features.forEach(
        (feature, state) -> {
          if (!Organization.FEATURES.contains(feature) || !state.matches("on|off")) {
            throw new WrongCall(
                "A feature is switched by NAME=on or NAME=off; there is %s."
                    .formatted(String.join(", ", Organization.FEATURES)));
          }
        });
  }

  private static boolean setFeatures(Access access, String slug, Map<String, String> features) {
    boolean known = true;
    for (var feature : features.entrySet()) {
      known &= access.setFeature(slug, feature.getKey(), feature.getValue().equals("on"));
    }
    return known;
  }

  static Refusal unknown(String slug) {
    return new Refusal("There is no organization %s: see `mainstay org list`.".formatted(slug));
  }

  static void withAccess(DatabaseOptions options, Consumer<Access> work) {
    var config = options.config();
    Logs.configure(config.logFormat(), "WARN");
    try (var storage = Storage.ofCommand(config)) {
      work.accept(new Access(storage.database(), storage.clock()));
    }
  }

  private static String checkedName(String name) {
    if (name.isBlank()
        || name.length() > Organization.MAX_NAME_LENGTH
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new WrongCall(
          "A name has 1 to %d printable characters.".formatted(Organization.MAX_NAME_LENGTH));
    }
    return name;
  }
}
