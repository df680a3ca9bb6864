package dev.mainstay.server;

import dev.mainstay.server.access.Organization;
import dev.mainstay.server.access.Token;
import dev.mainstay.server.access.oidc.OidcSettings;
import dev.mainstay.server.access.oidc.RoleRules;
import dev.mainstay.server.command.Confinement;
import dev.mainstay.server.command.Equipment;
import dev.mainstay.server.forge.Networks;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Logs;
import dev.mainstay.server.platform.Network;
import dev.mainstay.server.platform.OpenNetworks;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The configuration that a process starts with. {@code handedIn} are variables for test commands;
 * {@code program} is the command line that starts this program again, empty where nobody knows it.
 */
public record Config(
    Path dataDirectory,
    Optional<Database.Address> externalDatabase,
    int databaseConnections,
    String host,
    int port,
    Optional<URI> chosenPublicUrl,
    int maxConnections,
    List<Network> trustedProxies,
    long minFreeDiskBytes,
    Duration shutdownDelay,
    Duration shutdownGrace,
    Logs.Format logFormat,
    String logLevel,
    String firstOrganization,
    Optional<Token> firstToken,
    Optional<OidcSettings> oidc,
    Reach reach,
    OpenNetworks webhookNetworks,
    Map<String, String> handedIn,
    Confinement.Asked testSandbox,
    List<String> program) {

  /** The same, with the command line that starts this program again. */
  public Config startedBy(List<String> own) {
    return new Config(
        dataDirectory,
        externalDatabase,
        databaseConnections,
        host,
        port,
        chosenPublicUrl,
        maxConnections,
        trustedProxies,
        minFreeDiskBytes,
        shutdownDelay,
        shutdownGrace,
        logFormat,
        logLevel,
        firstOrganization,
        firstToken,
        oidc,
        reach,
        webhookNetworks,
        handedIn,
        testSandbox,
        own);
  }

  /** Without its secrets, should anybody ever log it. */
  @Override
  public String toString() {
    return "Config[dataDirectory=%s, host=%s, port=%d]".formatted(dataDirectory, host, port);
  }

  /** The address that people reach this service by. */
  public URI publicUrl() {
    return chosenPublicUrl.orElse(URI.create("http://localhost:" + port));
  }

  /** A configuration with faults, all of them named. */
  public static final class Invalid extends RuntimeException {
    private final transient List<String> faults;

    Invalid(List<String> faults) {
      super(String.join("\n", faults));
      this.faults = List.copyOf(faults);
    }

    public List<String> faults() {
      return faults;
    }
  }

  /** A setting: its option on the command line, and the same as an environment variable. */
  public enum Setting {
    DATA_DIR,
    DATABASE_URL,
    DATABASE_CONNECTIONS,
    HOST,
    PORT,
    PUBLIC_URL,
    MAX_CONNECTIONS,
    TRUSTED_PROXIES,
    MIN_FREE_DISK,
    SHUTDOWN_DELAY,
    SHUTDOWN_GRACE,
    LOG_FORMAT,
    LOG_LEVEL,
    ORG,
    GIT_ROOTS,
    GIT_NETWORKS,
    GIT_HOOKS,
    WEBHOOK_NETWORKS,
    TEST_SANDBOX,
    /** Variables without an option, as those below: a provider is set up once, and as a whole. */
    OIDC_ISSUER,
    OIDC_CLIENT_ID,
    OIDC_CLIENT_SECRET_FILE,
    OIDC_ORG,
    OIDC_ROLES_CLAIM,
    OIDC_ROLES,
    /** A variable without an option: everybody on the machine can read a command line. */
    TOKEN;

    public String variable() {
      return "MAINSTAY_" + name();
    }

    public String option() {
      return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Reads options over environment variables over defaults; throws {@link Invalid}. */
  public static Config read(Map<Setting, String> options, Map<String, String> environment) {
    return new Reader(options, environment).config();
  }

  /**
   * The data directory of a process that names none; never below root's home, which is closed to
   * PostgreSQL.
   */
  public static Path defaultDataDirectory() {
    String home = System.getProperty("user.home");
    return System.getProperty("user.name").equals("root")
        ? Path.of("/var/lib/mainstay")
        : Path.of(home, ".mainstay");
  }

  private static final class Reader {
    private static final long MEBIBYTE = 1024L * 1024;
    private static final String DATABASE_HOST =
        "(?:\\[[0-9A-Fa-f:.]+]|[0-9A-Za-z._-]+)(?::\\d{1,5})?";
    private static final Pattern DATABASE =
        Pattern.compile(
            "postgresql://(?:(?<user>[^@/?#]*)@)?(?<hosts>%1$s(?:,%1$s)*)(?<path>/[^?#]*)?(?<query>\\?[^#]*)?"
                .formatted(DATABASE_HOST));

    private final Map<Setting, String> options;
    private final Map<String, String> environment;
    private final List<String> faults = new ArrayList<>();

    Reader(Map<Setting, String> options, Map<String, String> environment) {
      this.options = options;
      this.environment = environment;
    }

    Config config() {
      String organization = slug(Setting.ORG, "default");
      var config =
          new Config(
              value(Setting.DATA_DIR, Path::of, "a path", defaultDataDirectory()),
              optional(
                  Setting.DATABASE_URL,
                  Reader::databaseAddress,
                  "a PostgreSQL address such as postgresql://user:password@host:5432/database"),
              number(Setting.DATABASE_CONNECTIONS, 16, 2, 1000),
              value(
                  Setting.HOST,
                  host -> matching(host, "[0-9A-Za-z.:_-]{1,253}"),
                  "a host name or address",
                  "0.0.0.0"),
              number(Setting.PORT, 8080, 0, 65535),
              optional(
                  Setting.PUBLIC_URL,
                  Reader::publicUrl,
                  "an http or https address without a query"),
              number(Setting.MAX_CONNECTIONS, 2000, 1, 100_000),
              value(
                  Setting.TRUSTED_PROXIES,
                  Network::list,
                  "addresses or networks with commas between them, such as 10.0.0.0/8,::1",
                  List.of()),
              number(Setting.MIN_FREE_DISK, 64, 0, Integer.MAX_VALUE) * MEBIBYTE,
              Duration.ofSeconds(number(Setting.SHUTDOWN_DELAY, 0, 0, 3600)),
              Duration.ofSeconds(number(Setting.SHUTDOWN_GRACE, 30, 0, 3600)),
              value(
                  Setting.LOG_FORMAT,
                  v -> Logs.Format.valueOf(v.toUpperCase(Locale.ROOT)),
                  "text or json",
                  Logs.Format.TEXT),
              value(
                  Setting.LOG_LEVEL,
                  v -> matching(v.toUpperCase(Locale.ROOT), "ERROR|WARN|INFO|DEBUG"),
                  "error, warn, info or debug",
                  "INFO"),
              organization,
              optional(
                  Setting.TOKEN,
                  v -> new Token(matching(v, Token.CHOSEN_FORM)),
                  "32 to 200 printable characters without spaces"),
              oidc(organization),
              reach(),
              OpenNetworks.closedBut(
                  Setting.WEBHOOK_NETWORKS.variable(),
                  value(
                      Setting.WEBHOOK_NETWORKS,
                      Network::list,
                      "networks such as 10.0.0.0/8 with commas between them",
                      List.of())),
              Equipment.handedIn(environment),
              value(
                  Setting.TEST_SANDBOX,
                  v -> Confinement.Asked.valueOf(v.toUpperCase(Locale.ROOT)),
                  "none, bubblewrap or auto",
                  Confinement.Asked.AUTO),
              List.of());
      if (!faults.isEmpty()) {
        throw new Invalid(faults);
      }
      return config;
    }

    private String slug(Setting setting, String otherwise) {
      return value(
          setting,
          v -> matching(v, Organization.SLUG_FORM),
          "lower case letters, digits and inner hyphens, at most 63",
          otherwise);
    }

    /** An identity provider that is set up as a whole, or not at all. */
    private Optional<OidcSettings> oidc(String firstOrganization) {
      var issuer =
          optional(
              Setting.OIDC_ISSUER,
              OidcSettings::issuer,
              "an https address without a query; http only on this machine");
      var client =
          optional(
              Setting.OIDC_CLIENT_ID,
              v -> matching(v, "\\S.{0,499}"),
              "the client's id at the provider");
      var secret = optional(Setting.OIDC_CLIENT_SECRET_FILE, Path::of, "the path of a file");
      String organization = slug(Setting.OIDC_ORG, firstOrganization);
      String claim =
          value(
              Setting.OIDC_ROLES_CLAIM,
              v -> matching(v, "\\S{1,500}"),
              "the name of a claim, or a path with dots",
              "groups");
      var roles =
          optional(
              Setting.OIDC_ROLES,
              RoleRules::read,
              "rules such as admin=ops,member=eng,viewer=* for the roles admin, member and viewer");
      if (Arrays.stream(Setting.values())
          .noneMatch(s -> s.name().startsWith("OIDC_") && given(s))) {
        return Optional.empty();
      }
      Stream.of(
              Setting.OIDC_ISSUER,
              Setting.OIDC_CLIENT_ID,
              Setting.OIDC_CLIENT_SECRET_FILE,
              Setting.OIDC_ROLES)
          .filter(setting -> !given(setting))
          .forEach(
              setting ->
                  faults.add(
                      "%s is missing: signing in at an identity provider needs it."
                          .formatted(setting.variable())));
      return issuer.isEmpty() || client.isEmpty() || secret.isEmpty() || roles.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new OidcSettings(
                  issuer.get(),
                  client.get(),
                  secret.get(),
                  organization,
                  new RoleRules(claim, roles.get())));
    }

    private boolean given(Setting setting) {
      return options.containsKey(setting)
          || !environment.getOrDefault(setting.variable(), "").isEmpty();
    }

    private Reach reach() {
      return new Reach(
          value(
              Setting.GIT_ROOTS,
              Reach::directories,
              "directories from the root, with colons between them",
              List.of()),
          value(
              Setting.GIT_NETWORKS,
              Networks::closedBut,
              "networks such as 10.0.0.0/8 with commas between them, or none",
              Networks.usual()),
          value(
              Setting.GIT_HOOKS,
              text -> matching(text, "on|off").equals("on"),
              "on or off",
              false));
    }

    private int number(Setting setting, int otherwise, int min, int max) {
      return value(
          setting,
          text -> {
            int number = Integer.parseInt(text);
            if (number < min || number > max) {
              throw new IllegalArgumentException();
            }
            return number;
          },
          "a whole number from %d to %d".formatted(min, max),
          otherwise);
    }

    private <T> T value(Setting setting, Function<String, T> reader, String form, T otherwise) {
      return optional(setting, reader, form).orElse(otherwise);
    }

    private <T> Optional<T> optional(Setting setting, Function<String, T> reader, String form) {
      boolean isOption = options.containsKey(setting);
      String text =
          isOption ? options.get(setting) : environment.getOrDefault(setting.variable(), "");
      if (text == null || (text.isEmpty() && !isOption)) {
        return Optional.empty();
      }
      try {
        return Optional.of(reader.apply(text));
      } catch (IllegalArgumentException e) {
        faults.add(
            "%s must be %s.".formatted(isOption ? setting.option() : setting.variable(), form));
        return Optional.empty();
      }
    }

    private static String matching(String text, String form) {
      if (!text.matches(form)) {
        throw new IllegalArgumentException();
      }
      return text;
    }

    private static URI publicUrl(String text) {
      URI uri = URI.create(text.replaceAll("/+$", ""));
      if (uri.getHost() == null
          || !Arrays.asList("http", "https").contains(uri.getScheme())
          || uri.getRawQuery() != null
          || uri.getRawFragment() != null) {
        throw new IllegalArgumentException();
      }
      return uri;
    }

    /** Several hosts are servers of which one takes changes, unless the address says otherwise. */
    private static Database.Address databaseAddress(String text) {
      Matcher given =
          DATABASE.matcher(
              text.replaceFirst("^jdbc:", "").replaceFirst("^postgres:", "postgresql:"));
      if (!given.matches()) {
        throw new IllegalArgumentException();
      }
      String[] user = Objects.requireNonNullElse(given.group("user"), "").split(":", 2);
      String hosts =
          Stream.of(given.group("hosts").split(","))
              .map(host -> host.matches(".*:\\d+") ? host : host + ":5432")
              .collect(Collectors.joining(","));
      String query = Objects.requireNonNullElse(given.group("query"), "");
      if (hosts.contains(",") && !query.contains("targetServerType=")) {
        query += (query.isEmpty() ? "?" : "&") + "targetServerType=primary";
      }
      String path = Objects.requireNonNullElse(given.group("path"), "/");
      return new Database.Address(
          "jdbc:postgresql://" + hosts + path + query,
          decoded(user[0]),
          user.length < 2 ? "" : decoded(user[1]));
    }

    private static String decoded(String text) {
      return java.net.URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
  }
}
