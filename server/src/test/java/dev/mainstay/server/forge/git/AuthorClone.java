package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The clone in which an author makes commits, and pushes them wherever a repository is. */
public record AuthorClone(Path path) {
  private static final String ZERO = "0".repeat(40);

  /** Nothing is to last: no tidying up after each push, and no waiting for the disk. */
  private static final String CONFIG =
      """
      [receive]
        autogc = false
      [gc]
        auto = 0
      [maintenance]
        auto = false
      [core]
        fsync = none
      """;

  public static AuthorClone make(Path path) {
    init(path);
    return new AuthorClone(path);
  }

  /** Makes a bare repository. */
  public static void init(Path path) {
    try {
      Files.createDirectories(path);
      run(path, new byte[0], "init", "--bare", "--quiet", "--initial-branch=main");
      Files.writeString(path.resolve("config"), CONFIG, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  public CommitSha commit(Edit edit) {
    var stream = new ByteArrayOutputStream();
    write(stream, "commit refs/heads/work\nmark :1\nauthor ");
    write(stream, edit.author());
    write(
        stream, " " + edit.time() + "\ncommitter Someone <someone@example.org> 1700000001 +0000\n");
    data(stream, edit.message());
    write(stream, "from " + (edit.parents().isEmpty() ? ZERO : edit.parents().getFirst()) + "\n");
    edit.parents().stream().skip(1).forEach(p -> write(stream, "merge " + p + "\n"));
    edit.entries().forEach(entry -> entry(stream, entry));
    write(stream, "get-mark :1\n");
    String sha =
        run(path, stream.toByteArray(), "fast-import", "--quiet", "--force", "--date-format=raw");
    return new CommitSha(sha.strip());
  }

  /** The message of a commit as a host shows it: in UTF-8, or else one byte in each character. */
  public String message(CommitSha commit) {
    byte[] raw = bytes(path, new byte[0], "log", "-1", "--format=%B", commit.value());
    String text = new String(raw, StandardCharsets.UTF_8);
    return text.contains("\ufffd") ? new String(raw, StandardCharsets.ISO_8859_1) : text;
  }

  /** Makes a commit on one that is in this repository already. */
  public CommitSha commitOn(String repository, CommitSha landed, Edit edit) {
    run(path, new byte[0], "fetch", "--quiet", repository, "+refs/heads/*:refs/fetched/*");
    return commit(
        new Edit(List.of(landed), edit.author(), edit.time(), edit.message(), edit.entries()));
  }

  public void push(String repository, String... references) {
    var command = new ArrayList<>(List.of("push", "--quiet", repository));
    command.addAll(Arrays.asList(references));
    run(path, new byte[0], command.toArray(String[]::new));
  }

  private static void entry(ByteArrayOutputStream stream, Edit.Entry entry) {
    boolean gone = entry.mode().equals(Edit.GONE);
    boolean submodule = entry.mode().equals(Edit.SUBMODULE);
    write(stream, gone ? "D " : "M " + entry.mode() + " ");
    if (!gone) {
      write(stream, submodule ? entry.content() : "inline");
      write(stream, " ");
    }
    write(stream, entry.path());
    write(stream, "\n");
    if (!gone && !submodule) {
      data(stream, entry.content());
    }
  }

  private static void data(ByteArrayOutputStream stream, String content) {
    write(stream, "data " + content.length() + "\n");
    write(stream, content);
    write(stream, "\n");
  }

  private static void write(ByteArrayOutputStream stream, String text) {
    stream.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public static String run(Path directory, byte[] input, String... arguments) {
    return new String(bytes(directory, input, arguments), StandardCharsets.UTF_8);
  }

  public static byte[] bytes(Path directory, byte[] input, String... arguments) {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(Arrays.asList(arguments));
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    try {
      Path errors = Files.createTempFile("git", ".txt");
      Process process = builder.redirectError(errors.toFile()).start();
      process.getOutputStream().write(input);
      process.getOutputStream().close();
      byte[] output = process.getInputStream().readAllBytes();
      if (process.waitFor() != 0) {
        throw new AssertionError(command + " failed: " + Files.readString(errors));
      }
      Files.delete(errors);
      return output;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
