package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.git.copy.CacheDirectory;
import dev.mainstay.server.forge.git.copy.FarSide;
import dev.mainstay.server.forge.git.copy.GitAddress;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** A bare repository on disk, with the clone of an author who pushes to it. */
final class GitWorld implements ForgeWorld {
  private static final String ZERO = "0".repeat(40);

  private final Path root;
  private final Path repository;
  private final Path clone;
  private final Function<Path, FarSide> address;
  private final List<Forge> nodes = new ArrayList<>();

  GitWorld(Path root, Function<Path, FarSide> address) {
    this.root = root;
    this.repository = root.resolve("app.git");
    this.clone = root.resolve("author.git");
    this.address = address;
    for (Path path : List.of(repository, clone)) {
      run(root, new byte[0], "init", "--bare", "--quiet", "--initial-branch=main", path.toString());
    }
  }

  Path repository() {
    return repository;
  }

  /** Does something in the repository itself, as its administrator. */
  void repository(String... arguments) {
    run(repository, new byte[0], arguments);
  }

  FarSide address() {
    return address.apply(repository);
  }

  /** An address as a user gives it, with the credentials in it. */
  static FarSide at(String address) {
    GitAddress.Given given = GitAddress.parse(address);
    return new FarSide(given.address(), given::credentials);
  }

  Path caches(int node) {
    return root.resolve("node" + node);
  }

  @Override
  public GitForge node() {
    return node(GitLimits.USUAL, Map.of());
  }

  GitForge node(GitLimits limits, Map<String, String> environment) {
    GitForge forge = GitForge.open(address(), caches(nodes.size()), limits, environment);
    nodes.add(forge);
    return forge;
  }

  @Override
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
        run(clone, stream.toByteArray(), "fast-import", "--quiet", "--force", "--date-format=raw");
    return new CommitSha(sha.strip());
  }

  @Override
  public CommitSha commitOn(CommitSha landed, Edit edit) {
    run(
        clone,
        new byte[0],
        "fetch",
        "--quiet",
        repository.toString(),
        "+refs/heads/*:refs/fetched/*");
    return commit(
        new Edit(List.of(landed), edit.author(), edit.time(), edit.message(), edit.entries()));
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

  @Override
  public void push(String branch, CommitSha commit) {
    send("+" + commit + ":refs/heads/" + branch);
  }

  @Override
  public void deleteBranch(String branch) {
    run(repository, new byte[0], "update-ref", "-d", "refs/heads/" + branch);
  }

  @Override
  public void open(int pullRequest, CommitSha head) {
    send("+" + head + ":refs/pull/" + pullRequest + "/head");
  }

  @Override
  public void describe(int pullRequest, String text) {
    send("+" + commit(Edit.on().says(text)) + ":refs/pull/" + pullRequest + "/meta");
  }

  @Override
  public void close(int pullRequest) {
    run(repository, new byte[0], "update-ref", "-d", "refs/pull/" + pullRequest + "/head");
    run(repository, new byte[0], "update-ref", "-d", "refs/pull/" + pullRequest + "/meta");
  }

  private void send(String reference) {
    run(clone, new byte[0], "push", "--quiet", repository.toString(), reference);
  }

  @Override
  public Optional<CommitSha> branch(String name) {
    String found =
        run(
            repository,
            new byte[0],
            "for-each-ref",
            "--format=%(objectname)",
            "refs/heads/" + name);
    return found.isBlank() ? Optional.empty() : Optional.of(new CommitSha(found.strip()));
  }

  @Override
  public List<String> branches() {
    return run(repository, new byte[0], "for-each-ref", "--format=%(refname:short)", "refs/heads/")
        .lines()
        .toList();
  }

  @Override
  public List<CommitSha> log(CommitSha head, CommitSha without) {
    return run(repository, new byte[0], "rev-list", "--topo-order", head + "", "^" + without)
        .lines()
        .map(CommitSha::new)
        .toList();
  }

  @Override
  public String show(CommitSha commit, String format) {
    return run(
        repository,
        new byte[0],
        "log",
        "-1",
        "--encoding=UTF-8",
        "--format=" + format,
        commit + "");
  }

  @Override
  public Map<String, String> tree(CommitSha commit) {
    Map<String, String> tree = new TreeMap<>();
    run(repository, new byte[0], "ls-tree", "-r", commit + "")
        .lines()
        .map(line -> line.split("\t", 2))
        .forEach(parts -> tree.put(parts[1], parts[0]));
    return tree;
  }

  @Override
  public void refuse(String words) {
    hook(
        "update",
        "case \"$1\" in refs/heads/mainstay/*) exit 0;; esac\necho '" + words + "' >&2\nexit 1\n");
  }

  /** A script that the repository runs when it is pushed to. */
  void hook(String name, String script) {
    try {
      Path hook = Files.createDirectories(repository.resolve("hooks")).resolve(name);
      Files.writeString(hook, "#!/bin/sh\n" + script);
      Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void vanish() {
    try {
      CacheDirectory.deleteRecursively(repository);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static String run(Path directory, byte[] input, String... arguments) {
    var command = new ArrayList<>(List.of("git"));
    command.addAll(Arrays.asList(arguments));
    var builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    builder.redirectErrorStream(false);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      Process process = builder.start();
      process.getOutputStream().write(input);
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(command + " failed");
      }
      return output;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    nodes.forEach(Forge::close);
  }
}
