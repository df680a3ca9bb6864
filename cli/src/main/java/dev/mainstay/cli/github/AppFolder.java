package dev.mainstay.cli.github;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.forge.github.NewApp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * The folder in which what belongs to a new App is kept, for nobody but who started the command.
 */
final class AppFolder {
  static final String KEY = "private-key.pem";
  static final String HOOK_SECRET = "hook-secret";
  private static final String ID = "id";

  private static final FileAttribute<Set<PosixFilePermission>> FOLDER = only("rwx------");
  private static final FileAttribute<Set<PosixFilePermission>> FILE = only("rw-------");

  private final Shell shell;
  private final Optional<Path> wanted;

  private AppFolder(Shell shell, Optional<Path> wanted) {
    this.shell = shell;
    this.wanted = wanted;
  }

  /**
   * A folder that does not exist yet, or one that is named after the App. GitHub hands out a key
   * once: where it cannot be kept is told before there is one.
   */
  static AppFolder planned(Shell shell, Optional<Path> wanted) {
    Path folder = shell.resolve(wanted.orElse(Path.of("github-app"))).toAbsolutePath();
    if (wanted.isPresent() && exists(folder)) {
      throw new WrongCall("%s exists already: give another folder.".formatted(wanted.get()));
    }
    Path parent = folder.getParent();
    if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
      throw new WrongCall("No folder can be made in %s.".formatted(parent));
    }
    return new AppFolder(shell, wanted);
  }

  /** The folder of this App, as its user would write it. An older one of the same name is kept. */
  Path of(NewApp app) {
    Path usual = Path.of("github-app-" + app.slug());
    return wanted.orElseGet(
        () -> exists(shell.resolve(usual)) ? Path.of(usual + "-" + app.id()) : usual);
  }

  /** Keeps all of it or nothing, also where the process is told to end meanwhile. */
  void keep(NewApp app, Path folder) throws IOException {
    var kept = new CountDownLatch(1);
    var last = new Thread(() -> await(kept), "keep-app");
    Runtime.getRuntime().addShutdownHook(last);
    try {
      write(app, shell.resolve(folder));
    } finally {
      kept.countDown();
      forget(last);
    }
  }

  private static void write(NewApp app, Path folder) throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    files.put(KEY, app.privateKey());
    app.hookSecret().ifPresent(secret -> files.put(HOOK_SECRET, secret));
    files.put(ID, Long.toString(app.id()));
    Files.createDirectory(folder, FOLDER);
    try {
      for (var file : files.entrySet()) {
        write(folder.resolve(file.getKey()), file.getValue());
      }
    } catch (IOException e) {
      for (String name : files.keySet()) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.deleteIfExists(folder);
      throw e;
    }
  }

  private static void write(Path file, String text) throws IOException {
    byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
    Files.write(Files.createFile(file, FILE), bytes, StandardOpenOption.WRITE);
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static FileAttribute<Set<PosixFilePermission>> only(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  private static void await(CountDownLatch kept) {
    try {
      kept.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends, and the hook has nothing left to wait for.
    }
  }
}
