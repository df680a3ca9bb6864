package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A bare repository where it is on disk, read and worked on by whoever has the machine. */
public record BareRepository(Path path) {
  /** Does something in the repository itself, as its administrator. */
  public String run(String... arguments) {
    return AuthorClone.run(path, new byte[0], arguments);
  }

  public Optional<CommitSha> branch(String name) {
    String found = run("for-each-ref", "--format=%(objectname)", "refs/heads/" + name);
    return found.isBlank() ? Optional.empty() : Optional.of(new CommitSha(found.strip()));
  }

  public List<String> branches() {
    return run("for-each-ref", "--format=%(refname:short)", "refs/heads/").lines().toList();
  }

  public List<CommitSha> log(CommitSha head, CommitSha without) {
    return run("rev-list", "--topo-order", head + "", "^" + without)
        .lines()
        .map(CommitSha::new)
        .toList();
  }

  public String show(CommitSha commit, String format) {
    return run("log", "-1", "--encoding=UTF-8", "--format=" + format, commit + "");
  }

  public Map<String, String> tree(CommitSha commit) {
    Map<String, String> tree = new TreeMap<>();
    run("ls-tree", "-r", commit + "")
        .lines()
        .map(line -> line.split("\t", 2))
        .forEach(parts -> tree.put(parts[1], parts[0]));
    return tree;
  }

  /** From now on every push to a branch that is not a test branch is refused with these words. */
  public void refuse(String hook, String words) {
    hook(
        hook,
        "case \"$1\" in refs/heads/mainstay/*) exit 0;; esac\necho '" + words + "' >&2\nexit 1\n");
  }

  /** A script that the repository runs when it is pushed to. */
  public void hook(String name, String script) {
    try {
      Path hook = path.resolve("hooks").resolve(name);
      Files.createDirectories(hook.getParent());
      Files.writeString(hook, "#!/bin/sh\n" + script);
      Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
