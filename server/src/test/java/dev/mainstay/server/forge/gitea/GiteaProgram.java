package dev.mainstay.server.forge.gitea;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The command {@code gitea} of a folder that {@code bench/gitea} made, with a place to work in. Its
 * pages are small, so that few pull requests fill several.
 */
record GiteaProgram(Path folder, Path work, int port) {
  private static final AtomicInteger TOKENS = new AtomicInteger();

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  void configure() throws IOException {
    Files.createDirectories(work.resolve("home"));
    Files.writeString(
        config(),
        """
        RUN_USER = %s
        WORK_PATH = %s
        [server]
        HTTP_ADDR = 127.0.0.1
        HTTP_PORT = %d
        ROOT_URL = http://127.0.0.1:%d/
        STATIC_ROOT_PATH = %s
        DISABLE_SSH = true
        OFFLINE_MODE = true
        [database]
        DB_TYPE = sqlite3
        PATH = %s/gitea.db
        SQLITE_JOURNAL_MODE = WAL
        SQLITE_TIMEOUT = 20000
        [security]
        INSTALL_LOCK = true
        SECRET_KEY = not-a-secret
        PASSWORD_HASH_ALGO = pbkdf2$1000$50
        ALLOWED_HOST_LIST = loopback
        [queue]
        TYPE = channel
        [log]
        LEVEL = Error
        [cron]
        ENABLED = false
        [actions]
        ENABLED = false
        [packages]
        ENABLED = false
        [api]
        MAX_RESPONSE_ITEMS = 10
        DEFAULT_PAGING_NUM = 10
        [service]
        DISABLE_REGISTRATION = true
        [repository]
        DEFAULT_BRANCH = main
        """
            .formatted(
                System.getProperty("user.name"),
                work,
                port,
                port,
                folder.toAbsolutePath().resolve("static"),
                work));
  }

  private Path config() {
    return work.resolve("app.ini");
  }

  void addUser(String login, String password, boolean administrator) {
    var command =
        new ArrayList<>(
            List.of("admin", "user", "create", "--username", login, "--password", password));
    command.addAll(List.of("--email", login + "@example.org", "--must-change-password=false"));
    if (administrator) {
      command.add("--admin");
    }
    run(command.toArray(String[]::new));
  }

  /** A new token of somebody. */
  String token(String login, String... scopes) {
    String all = scopes.length == 0 ? "all" : String.join(",", scopes);
    return run(
            "admin",
            "user",
            "generate-access-token",
            "--username",
            login,
            "--token-name",
            "token" + TOKENS.incrementAndGet(),
            "--scopes",
            all,
            "--raw")
        .lines()
        .toList()
        .getLast()
        .strip();
  }

  String run(String... arguments) {
    try {
      Path errors = Files.createTempFile(work, "errors", ".txt");
      Process process = command(arguments).redirectError(errors.toFile()).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(
            Arrays.toString(arguments) + " failed: " + output + Files.readString(errors));
      }
      return output;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  Process serve() throws IOException {
    return command("web")
        .redirectErrorStream(true)
        .redirectOutput(work.resolve("server.log").toFile())
        .start();
  }

  private ProcessBuilder command(String... arguments) {
    var command =
        new ArrayList<>(List.of(folder.resolve("gitea").toString(), "-c", config().toString()));
    command.addAll(Arrays.asList(arguments));
    var builder = new ProcessBuilder(command).directory(work.toFile());
    // Every push starts it several times, for moments: it need not tidy its memory.
    builder.environment().put("GOGC", "off");
    builder.environment().put("GOMEMLIMIT", "500MiB");
    builder.environment().put("GITEA_I_AM_BEING_UNSAFE_RUNNING_AS_ROOT", "true");
    builder.environment().put("GITEA_WORK_DIR", work.toString());
    builder.environment().put("HOME", work.resolve("home").toString());
    return builder;
  }
}
