package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.server.forge.git.GitWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/**
 * The bare repository of the fake, asked by git itself, about two commits only once. References of
 * pull requests are hidden.
 */
public record FakeRepository(
    Path directory, Map<String, Boolean> inside, Map<String, Optional<String>> merges) {
  public FakeRepository(Path directory) {
    this(directory, new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
  }

  private static final byte[] NOTHING = new byte[0];
  private static final Pattern SHA = Pattern.compile("[0-9a-f]{40}");

  void hidePulls() {
    hide("refs/pull");
  }

  /** References below this are for reading only. */
  public void hide(String references) {
    git("config", "receive.hideRefs", references);
  }

  public Map<String, String> branches() {
    try {
      return Files.exists(directory.resolve("packed-refs")) ? askedBranches() : looseBranches();
    } catch (IOException | UncheckedIOException movedMeanwhile) {
      return askedBranches();
    }
  }

  /** The fake looks at them at each request: files are quicker than a process. */
  private Map<String, String> looseBranches() throws IOException {
    Path heads = directory.resolve("refs/heads");
    Map<String, String> branches = new TreeMap<>();
    try (Stream<Path> files = Files.walk(heads)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String sha = Files.readString(file).strip();
        if (SHA.matcher(sha).matches() && !file.toString().endsWith(".lock")) {
          branches.put(heads.relativize(file).toString(), sha);
        }
      }
    }
    return branches;
  }

  private Map<String, String> askedBranches() {
    Map<String, String> branches = new TreeMap<>();
    git("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/")
        .lines()
        .map(line -> line.split(" ", 2))
        .forEach(l -> branches.put(l[1].substring("refs/heads/".length()), l[0]));
    return branches;
  }

  public Optional<String> branch(String name) {
    return Optional.ofNullable(branches().get(name));
  }

  public boolean hasCommit(String sha) {
    return SHA.matcher(sha).matches()
        && !GitWorld.run(
                directory, (sha + "^{commit}\n").getBytes(US_ASCII), "cat-file", "--batch-check")
            .contains("missing");
  }

  /** Brings a commit of somebody's own repository, as a fork's heads are brought. */
  void bring(Path from, String sha, int pull) {
    bring(from, sha, head(pull));
  }

  public void bring(Path from, String sha, String reference) {
    git("fetch", "--quiet", from.toString(), "+" + sha + ":" + reference);
  }

  public void move(String reference, String sha) {
    git("update-ref", reference, sha);
  }

  static String head(int pull) {
    return "refs/pull/" + pull + "/head";
  }

  /** One commit is in the other, or is that. */
  public boolean isIn(String one, String other) {
    return inside.computeIfAbsent(
        one + " " + other, any -> git("rev-list", "--max-count=1", one, "^" + other).isBlank());
  }

  /** The first commit of a branch, of those it got since, that holds this one. */
  public String holder(String head, String now, Optional<String> before) {
    var call = new ArrayList<>(List.of("rev-list", "--first-parent", "--reverse", now));
    before.ifPresent(b -> call.add("^" + b));
    return git(call.toArray(String[]::new))
        .lines()
        .filter(commit -> isIn(head, commit))
        .findFirst()
        .orElse(now);
  }

  /** The tree of both merged; empty where they conflict. */
  public Optional<String> merged(String ours, String theirs) {
    return merges.computeIfAbsent(ours + " " + theirs, any -> merge(ours, theirs));
  }

  private Optional<String> merge(String ours, String theirs) {
    try {
      git("merge-base", ours, theirs);
      return Optional.of(git("merge-tree", "--write-tree", "--no-messages", ours, theirs).strip());
    } catch (AssertionError conflict) {
      return Optional.empty();
    }
  }

  /** The commits of a head on another base, as GitHub makes them: by itself, each anew. */
  public String rebased(String base, String head) {
    String tip = base;
    for (String sha : git("rev-list", "--reverse", head, "^" + base).lines().toList()) {
      String message = git("show", "--no-patch", "--format=%B", sha);
      tip = commit(merged(base, sha).orElseThrow(), message, tip);
    }
    return tip;
  }

  public String commit(String tree, String message, String... parents) {
    var call = new ArrayList<>(List.of("commit-tree", tree, "-m", message));
    Arrays.stream(parents).forEach(p -> call.addAll(List.of("-p", p)));
    var identified = new ArrayList<>(List.of("-c", "user.name=GitHub"));
    identified.addAll(List.of("-c", "user.email=noreply@github.com"));
    identified.addAll(call);
    return git(identified.toArray(String[]::new)).strip();
  }

  /** A file or a folder of a branch, in the shape of GitHub's answers. */
  FakeRoute.Reply contents(FakeRoute.Call call) {
    String path = call.parts().getFirst();
    String at = branch(call.query().getOrDefault("ref", "main")).orElseThrow();
    List<String> names = git("ls-tree", "-r", "--name-only", at).lines().toList();
    if (names.contains(path)) {
      byte[] content = git("show", at + ":" + path).getBytes(UTF_8);
      ObjectNode file = FakeShapes.entry("file", path).put("encoding", "base64");
      return FakeRoute.Reply.ok(
          file.put("content", Base64.getMimeEncoder().encodeToString(content)));
    }
    List<ObjectNode> inside =
        names.stream()
            .filter(n -> n.startsWith(path + "/"))
            .map(n -> FakeShapes.entry("file", n))
            .toList();
    return inside.isEmpty() ? FakeRoute.Reply.notFound() : FakeRoute.Reply.ok(inside);
  }

  private String git(String... arguments) {
    return GitWorld.run(directory, NOTHING, arguments);
  }
}
