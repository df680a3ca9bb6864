package dev.mainstay.cli.demo;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.cli.shell.OwnProgram;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.Mainstay;
import dev.mainstay.server.platform.Logs;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Show the whole thing at work: a service with a database of its own, a small git repository"
          + " with real tests, and a dozen pull requests on their way to main.",
      "Everything is in a temporary directory, which is gone after Ctrl-C."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final int USUAL_PORT = 8080;

  private final Shell shell;

  @Option(names = "--keep", description = "Keep the temporary directory.")
  private boolean keep;

  @Option(names = "--exit", description = "End when all is shown instead of waiting for Ctrl-C.")
  private boolean exit;

  @Option(
      names = "--pause",
      paramLabel = "SECONDS",
      defaultValue = "0.3",
      description = "How long each test takes, so that there is something to watch (0.3).")
  private double pause;

  public DemoCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Logs.configure(Logs.Format.TEXT, "ERROR");
    Path directory = Files.createTempDirectory("mainstay-demo-");
    // As root the database runs as somebody else, who must get there.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    var stop = new CountDownLatch(1);
    var cleaned = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> awaitCleaning(stop, cleaned), "shutdown"));
    try {
      return run(directory, stop);
    } finally {
      cleanUp(directory);
      cleaned.countDown();
    }
  }

  private int run(Path directory, CountDownLatch stop) throws IOException, InterruptedException {
    PrintWriter out = shell.out();
    out.println("Starting Mainstay with a database of its own ...");
    out.flush();
    var key = new String[1];
    try (var node =
        Mainstay.start(config(directory), made -> key[0] = made.token().text(), stop::countDown)) {
      var client = new ApiClient("http://127.0.0.1:" + node.port(), key[0]);
      boolean well = new Demo(client, directory, pause, shell).show(stop);
      if (well && !exit) {
        out.println("It goes on serving until you press Ctrl-C.");
        out.flush();
        stop.await();
      }
      return well || stop.getCount() == 0 ? 0 : 1;
    }
  }

  private static Config config(Path directory) {
    return Config.read(
            Map.of(
                Setting.DATA_DIR,
                directory.resolve("data").toString(),
                Setting.HOST,
                "127.0.0.1",
                Setting.PORT,
                String.valueOf(isFree(USUAL_PORT) ? USUAL_PORT : 0),
                Setting.SHUTDOWN_GRACE,
                "1",
                Setting.GIT_ROOTS,
                directory.toAbsolutePath().toString()),
            Map.of())
        .startedBy(OwnProgram.commandLine());
  }

  private static boolean isFree(int port) {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void awaitCleaning(CountDownLatch stop, CountDownLatch cleaned) {
    stop.countDown();
    try {
      cleaned.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void cleanUp(Path directory) throws IOException {
    if (keep) {
      shell.out().println("Kept: " + directory);
      shell.out().flush();
      return;
    }
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
