package dev.mainstay.cli.demo;

import dev.mainstay.cli.demo.Shop.PullRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A bare git repository that holds the shop, with its pull requests under {@code refs/pull}. */
final class ShopRepository {
  private static final long FIRST_COMMIT = 1_750_000_000L;

  private final Path directory;

  private ShopRepository(Path directory) {
    this.directory = directory;
  }

  /** Makes it in an empty directory. */
  static ShopRepository create(Path directory) throws IOException {
    var repository = new ShopRepository(Files.createDirectories(directory));
    repository.git(new byte[0], "init", "--quiet", "--bare", "--initial-branch=main", ".");
    repository.git(repository.history(), "fast-import", "--quiet");
    return repository;
  }

  Path directory() {
    return directory;
  }

  /** The head commit of a pull request. */
  String head(int pullRequest) throws IOException {
    return git(new byte[0], "rev-parse", "refs/pull/" + pullRequest + "/head").strip();
  }

  /** The commits on main, newest first, drawn as git draws them. */
  String log() throws IOException {
    return git(new byte[0], "log", "--graph", "--format=%h %<(52,trunc)%s %an", "main");
  }

  /** Puts the files of a commit into a directory. */
  void checkOut(String commit, Path into) throws IOException {
    Files.createDirectories(into);
    git(new byte[0], "--work-tree=" + into, "checkout", "--quiet", "--force", commit, "--", ".");
  }

  private byte[] history() throws IOException {
    var out = new ByteArrayOutputStream();
    commit(out, "refs/heads/main", "Shop", "Open the shop", FIRST_COMMIT, false, Shop.files());
    for (PullRequest pr : Shop.pullRequests()) {
      String ref = "refs/pull/" + pr.number() + "/head";
      commit(out, ref, pr.author(), pr.title(), FIRST_COMMIT + pr.number(), true, pr.files());
    }
    return out.toByteArray();
  }

  private static void commit(
      ByteArrayOutputStream out,
      String ref,
      String author,
      String title,
      long time,
      boolean onMain,
      Map<String, String> files)
      throws IOException {
    line(out, "commit " + ref);
    line(out, "committer %s <%s@shop.example> %d +0000".formatted(author, author, time));
    data(out, title + "\n");
    if (onMain) {
      line(out, "from refs/heads/main");
    }
    for (var file : files.entrySet()) {
      String mode = file.getKey().equals("run-tests") ? "100755" : "100644";
      line(out, "M %s inline %s".formatted(mode, file.getKey()));
      data(out, file.getValue());
    }
  }

  private static void line(ByteArrayOutputStream out, String text) throws IOException {
    out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void data(ByteArrayOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    line(out, "data " + bytes.length);
    out.write(bytes);
    line(out, "");
  }

  private String git(byte[] in, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("GIT_DIR", directory.toString());
    Process process = builder.redirectError(Redirect.INHERIT).start();
    try (var to = process.getOutputStream()) {
      to.write(in);
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException("git " + arguments[0] + " failed");
    }
    return out;
  }
}
