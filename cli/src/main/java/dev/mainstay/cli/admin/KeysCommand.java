package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Period;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Access.Outcome;
import dev.mainstay.server.access.ApiKey;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    description =
        "API keys of an organization. Works on the database itself, whether the service runs or"
            + " not; a running service knows of a change within a second.")
public final class KeysCommand implements Runnable {
  private final Shell shell;
  @Spec private CommandSpec spec;

  public KeysCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Make a key and print its token, which is shown only now.")
  void create(
      @Mixin AdminOptions options,
      @Mixin OrgOption org,
      @Option(
              names = "--name",
              paramLabel = "NAME",
              required = true,
              description = "What the key is for.")
          String name,
      @Option(
              names = "--scopes",
              split = ",",
              defaultValue = "read",
              paramLabel = "SCOPE",
              description = "What it may do: read, upload, queue, admin (read).")
          List<String> scopes,
      @Option(
              names = "--expires",
              paramLabel = "PERIOD",
              description = "When it ends, from now: 12h, 90d (never).")
          @Nullable String expires) {
    if (name.isBlank()
        || name.length() > ApiKey.MAX_NAME_LENGTH
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new WrongCall(
          "A name has 1 to %d printable characters.".formatted(ApiKey.MAX_NAME_LENGTH));
    }
    Set<Scope> chosen = scopes(scopes);
    Optional<Instant> expiresAt =
        Optional.ofNullable(expires).map(Period::parse).map(Instant.now()::plus);
    OrgCommand.withAccess(
        options,
        access -> {
          var owner = organization(access, org.slug());
          tell(options, access.createKey(owner.id(), owner.slug(), name, chosen, expiresAt));
        });
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List the keys of an organization, newest first.")
  void list(@Mixin AdminOptions options, @Mixin OrgOption org) {
    OrgCommand.withAccess(
        options,
        access -> {
          List<ApiKey> keys = access.keys(organization(access, org.slug()).id());
          var answer = Json.object();
          var list = answer.putArray("keys");
          keys.forEach(key -> list.add(json(key)));
          options.answer(answer, () -> print(keys));
        });
  }

  private void print(List<ApiKey> keys) {
    var table = new Table("ID", "NAME", "SCOPES", "STATE", "CREATED", "ENDS", "LAST USED");
    for (ApiKey key : keys) {
      table.row(
          key.id().toString(),
          key.name(),
          String.join(",", labels(key)),
          state(key),
          key.createdAt().toString(),
          key.expiresAt().map(Instant::toString).orElse("never"),
          key.lastUsedAt().map(Instant::toString).orElse("never"));
    }
    table.print(shell);
  }

  private static ObjectNode json(ApiKey key) {
    var answer = Json.object().put("id", key.id().toString()).put("name", key.name());
    var scopes = answer.putArray("scopes");
    labels(key).forEach(scopes::add);
    answer.put("createdAt", key.createdAt().toString());
    key.expiresAt().ifPresent(time -> answer.put("expiresAt", time.toString()));
    key.revokedAt().ifPresent(time -> answer.put("revokedAt", time.toString()));
    key.lastUsedAt().ifPresent(time -> answer.put("lastUsedAt", time.toString()));
    return answer;
  }

  private static List<String> labels(ApiKey key) {
    return key.scopes().stream().sorted().map(Scope::label).toList();
  }

  @Command(
      name = "rotate",
      mixinStandardHelpOptions = true,
      description = "Replace a key by one that may do the same, and print its token.")
  void rotate(
      @Mixin AdminOptions options,
      @Mixin OrgOption org,
      @Option(
              names = "--grace",
              defaultValue = "1d",
              paramLabel = "PERIOD",
              description = "How long the old key still works: 0s, 12h, 7d (1d; at most 90d).")
          String grace,
      @Parameters(paramLabel = "ID") UUID id) {
    Duration period = Period.parse(grace);
    if (period.compareTo(Access.MAX_GRACE) > 0) {
      throw new WrongCall("--grace must not exceed %dd.".formatted(Access.MAX_GRACE.toDays()));
    }
    OrgCommand.withAccess(
        options,
        access ->
            tell(options, access.rotateKey(organization(access, org.slug()).id(), id, period)));
  }

  @Command(
      name = "revoke",
      mixinStandardHelpOptions = true,
      description = "End a key at once, on every node.")
  void revoke(
      @Mixin AdminOptions options, @Mixin OrgOption org, @Parameters(paramLabel = "ID") UUID id) {
    OrgCommand.withAccess(
        options,
        access -> {
          if (!access.revokeKey(organization(access, org.slug()).id(), id)) {
            throw noSuchKey();
          }
          options.done("Revoked key %s.".formatted(id));
        });
  }

  /** The token alone on standard output, so that scripts can take it. */
  private void tell(AdminOptions options, Outcome outcome) {
    switch (outcome) {
      case Outcome.Made(var made) -> {
        var answer = Json.object();
        answer.set("key", json(made.key()));
        answer.put("token", made.token().text());
        options.answer(answer, () -> print(made.key(), made.token().text()));
      }
      case Outcome.NoSuchKey() -> throw noSuchKey();
      case Outcome.AlreadyEnded() ->
          throw new Refusal("This key has expired or been revoked: create a new one.");
      case Outcome.TooManyKeys(int limit) ->
          throw new Refusal(
              "The organization has %d valid keys: revoke some first.".formatted(limit));
    }
  }

  private void print(ApiKey key, String token) {
    shell
        .err()
        .printf(
            "Key %s (%s) of organization %s; its token is shown only now:%n",
            key.id(), key.name(), key.organization());
    shell.err().flush();
    shell.out().println(token);
  }

  private static Refusal noSuchKey() {
    return new Refusal("The organization has no key of this id: see `mainstay keys list`.");
  }

  private static Organization organization(Access access, String slug) {
    return access.organization(slug).orElseThrow(() -> OrgCommand.unknown(slug));
  }

  private static Set<Scope> scopes(List<String> labels) {
    var scopes = EnumSet.noneOf(Scope.class);
    for (String label : labels) {
      scopes.add(
          Scope.of(label)
              .orElseThrow(
                  () ->
                      new WrongCall(
                          "There is no scope %s: there are read, upload, queue and admin."
                              .formatted(label))));
    }
    return scopes;
  }

  private static String state(ApiKey key) {
    if (key.revokedAt().isPresent()) {
      return "revoked";
    }
    return key.isValidAt(Instant.now()) ? "valid" : "expired";
  }
}
