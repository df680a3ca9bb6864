package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.OwnProgram;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.Mainstay;
import dev.mainstay.server.access.Access.NewKey;
import dev.mainstay.server.platform.Logs;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Run the service until it is told to stop (Ctrl-C or SIGTERM).",
      "It needs nothing: a PostgreSQL of its own is started in the data directory. The first start"
          + " makes an organization and one key, shown once."
    },
    footer = {
      "",
      "Every option can be given as an environment variable: MAINSTAY_PORT for --port, and so on.",
      "MAINSTAY_ORG and MAINSTAY_TOKEN name the organization and set the key that the first start"
          + " makes; the key is then not shown."
    })
public final class ServeCommand implements Callable<Integer> {
  private final Shell shell;
  @Mixin private DatabaseOptions databaseOptions;

  @Option(
      names = "--database-connections",
      paramLabel = "N",
      description = "Connections to the database at most (16).")
  private @Nullable String databaseConnections;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "The address to listen on (0.0.0.0).")
  private @Nullable String host;

  @Option(names = "--port", paramLabel = "PORT", description = "The port to listen on (8080).")
  private @Nullable String port;

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description = "How others reach this service (http://localhost:PORT).")
  private @Nullable String publicUrl;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      description = "Clients connected at the same time at most (2000).")
  private @Nullable String maxConnections;

  @Option(
      names = "--trusted-proxies",
      paramLabel = "NETWORKS",
      description =
          "Proxies in front, such as 10.0.0.0/8,::1: they may hold more than half of the"
              + " connections, and are believed about the address that clients ask by (none).")
  private @Nullable String trustedProxies;

  @Option(
      names = "--min-free-disk",
      paramLabel = "MIB",
      description = "What must be free on its disks for the node to call itself ready (64).")
  private @Nullable String minFreeDisk;

  @Option(
      names = "--shutdown-delay",
      paramLabel = "SECONDS",
      description =
          "How long the service goes on when it is told to stop, while /readyz already sends a load"
              + " balancer to other nodes (0).")
  private @Nullable String shutdownDelay;

  @Option(
      names = "--shutdown-grace",
      paramLabel = "SECONDS",
      description = "How long requests in flight may take when the service stops (30).")
  private @Nullable String shutdownGrace;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = "How log lines on standard error look: text or json (text).")
  private @Nullable String logFormat;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "What is logged: error, warn, info or debug (info).")
  private @Nullable String logLevel;

  @Option(
      names = "--org",
      paramLabel = "SLUG",
      description = "The organization that the first start makes (default).")
  private @Nullable String org;

  @Option(
      names = "--git-roots",
      paramLabel = "DIRECTORIES",
      description =
          "Directories, with colons between them, below which repositories of this machine's disk"
              + " may be connected over HTTP (none).")
  private @Nullable String gitRoots;

  @Option(
      names = "--git-networks",
      paramLabel = "NETWORKS",
      description =
          "Of private networks, those in which repositories may be, with commas between them; or"
              + " none (all).")
  private @Nullable String gitNetworks;

  @Option(
      names = "--git-hooks",
      paramLabel = "ON",
      description =
          "on: hooks of connected repositories on this machine's disk run, with the rights of this"
              + " service (off).")
  private @Nullable String gitHooks;

  @Option(
      names = "--webhook-networks",
      paramLabel = "NETWORKS",
      description =
          "The private networks that events may be sent to, with commas between them: 10.0.0.0/8"
              + " (none).")
  private @Nullable String webhookNetworks;

  @Option(
      names = "--test-sandbox",
      paramLabel = "SANDBOX",
      description =
          "What test commands run in: none, bubblewrap, or auto: bubblewrap where it works (auto).")
  private @Nullable String testSandbox;

  public ServeCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = shell.out();
    Config config = config();
    Logs.configure(config.logFormat(), config.logLevel());
    var stop = new CountDownLatch(1);
    var crashed = new boolean[1];
    Mainstay node =
        Mainstay.start(
            config,
            made -> show(made, config, out),
            () -> {
              crashed[0] = true;
              stop.countDown();
            });
    var stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(node, stop, stopped), "shutdown"));
    out.printf("Mainstay listens on http://%s:%d%n", shown(config.host()), node.port());
    out.flush();
    stop.await();
    if (!crashed[0]) {
      stopped.await();
    }
    return crashed[0] ? 1 : 0;
  }

  private static void finish(Mainstay node, CountDownLatch stop, CountDownLatch stopped) {
    stop.countDown();
    node.close();
    stopped.countDown();
  }

  /** A token that was chosen by the operator is not repeated. */
  private static void show(NewKey made, Config config, PrintWriter out) {
    if (config.firstToken().isEmpty()) {
      out.printf(
          "The first key of organization %s, shown only now: %s%n",
          made.key().organization(), made.token().text());
      out.flush();
    }
  }

  private static String shown(String host) {
    return host.equals("0.0.0.0") || host.equals("::") ? "localhost" : host;
  }

  private Config config() {
    var given = databaseOptions.given();
    DatabaseOptions.put(given, Setting.DATABASE_CONNECTIONS, databaseConnections);
    DatabaseOptions.put(given, Setting.HOST, host);
    DatabaseOptions.put(given, Setting.PORT, port);
    DatabaseOptions.put(given, Setting.PUBLIC_URL, publicUrl);
    DatabaseOptions.put(given, Setting.MAX_CONNECTIONS, maxConnections);
    DatabaseOptions.put(given, Setting.TRUSTED_PROXIES, trustedProxies);
    DatabaseOptions.put(given, Setting.MIN_FREE_DISK, minFreeDisk);
    DatabaseOptions.put(given, Setting.SHUTDOWN_DELAY, shutdownDelay);
    DatabaseOptions.put(given, Setting.SHUTDOWN_GRACE, shutdownGrace);
    DatabaseOptions.put(given, Setting.LOG_FORMAT, logFormat);
    DatabaseOptions.put(given, Setting.LOG_LEVEL, logLevel);
    DatabaseOptions.put(given, Setting.ORG, org);
    DatabaseOptions.put(given, Setting.GIT_ROOTS, gitRoots);
    DatabaseOptions.put(given, Setting.GIT_NETWORKS, gitNetworks);
    DatabaseOptions.put(given, Setting.GIT_HOOKS, gitHooks);
    DatabaseOptions.put(given, Setting.WEBHOOK_NETWORKS, webhookNetworks);
    DatabaseOptions.put(given, Setting.TEST_SANDBOX, testSandbox);
    return Config.read(given, shell.environment()).startedBy(OwnProgram.commandLine());
  }
}
