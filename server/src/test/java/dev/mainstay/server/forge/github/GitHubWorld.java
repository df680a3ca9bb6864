package dev.mainstay.server.forge.github;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.git.GitWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A repository at the fake GitHub, with authors who push to branches of it, or to forks. Titles and
 * texts are those of the newest commit until somebody describes the pull request.
 */
final class GitHubWorld implements ForgeWorld {
  private final GitWorld git;
  private final boolean forks;
  private final BiFunction<FakeGitHub, Path, Forge> connect;
  private final Path root;
  private final List<Forge> nodes = new ArrayList<>();
  private final Set<Integer> described = new HashSet<>();
  private final Map<CommitSha, Edit> edits = new HashMap<>();
  final FakeGitHub github;

  GitHubWorld(Path root, boolean forks, BiFunction<FakeGitHub, Path, Forge> connect) {
    this.root = root;
    this.forks = forks;
    this.connect = connect;
    try {
      Path owner = Files.createDirectories(root.resolve("acme"));
      this.git = new GitWorld(owner, path -> GitWorld.at(path.toString()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    this.github = new FakeGitHub(root);
  }

  static String headBranch(int pullRequest) {
    return "change-" + pullRequest;
  }

  @Override
  public Forge node() {
    Forge forge = connect.apply(github, root.resolve("node" + nodes.size()));
    nodes.add(forge);
    return forge;
  }

  @Override
  public CommitSha commit(Edit edit) {
    return remembered(git.commit(edit), edit);
  }

  @Override
  public CommitSha commitOn(CommitSha landed, Edit edit) {
    return remembered(git.commitOn(landed, edit), edit);
  }

  private CommitSha remembered(CommitSha commit, Edit edit) {
    edits.put(commit, edit);
    return commit;
  }

  @Override
  public void push(String branch, CommitSha commit) {
    git.push(branch, commit);
    github.pushed();
  }

  @Override
  public void deleteBranch(String branch) {
    git.deleteBranch(branch);
    github.pushed();
  }

  @Override
  public void open(int number, CommitSha head) {
    synchronized (github) {
      if (forks) {
        github.repository.bring(git.author(), head.value(), number);
      } else {
        git.push(headBranch(number), head);
        github.pushed();
      }
      FakePull pull = github.pulls.find(number).filter(p -> p.open || p.merged).orElse(null);
      if (pull == null) {
        pull = opened(number, head);
        github.pulls.add(pull);
      } else if (!pull.merged) {
        pull.head = head.value();
      }
      if (!described.contains(number)) {
        String[] words = text(edit(head).message()).split("\n", 2);
        pull.title = words[0].strip();
        pull.body = words.length > 1 ? words[1].strip() : "";
      }
    }
  }

  private FakePull opened(int number, CommitSha head) {
    Optional<String> branch = forks ? Optional.empty() : Optional.of(headBranch(number));
    String author = text(edit(head).author().replaceFirst("<.*", ""));
    return new FakePull(number, author, branch, "main", head.value());
  }

  /** The bytes of a commit as text: in Latin-1 where they are not in UTF-8. */
  private static String text(String bytes) {
    String text = new String(bytes.getBytes(ISO_8859_1), UTF_8);
    return (text.contains("\ufffd") ? bytes : text).strip();
  }

  private Edit edit(CommitSha commit) {
    return Optional.ofNullable(edits.get(commit)).orElseThrow();
  }

  @Override
  public void describe(int number, String text) {
    described.add(number);
    List<String> lines = text.lines().toList();
    FakePull pull = github.pulls.pull(number);
    pull.title = lines.getFirst();
    pull.draft = lines.contains("draft: true");
    pull.base =
        lines.stream()
            .filter(l -> l.startsWith("base: "))
            .map(l -> l.substring("base: ".length()))
            .findFirst()
            .orElse("main");
    pull.body =
        String.join(
                "\n", lines.stream().skip(1).filter(l -> !l.matches("(base|draft): .*")).toList())
            .strip();
  }

  @Override
  public void close(int number) {
    github.pulls.pull(number).close();
  }

  @Override
  public Optional<CommitSha> branch(String name) {
    return git.branch(name);
  }

  /** All but those of pull requests. */
  @Override
  public List<String> branches() {
    return git.branches().stream().filter(b -> !b.startsWith("change-")).toList();
  }

  @Override
  public List<CommitSha> log(CommitSha head, CommitSha without) {
    return git.log(head, without);
  }

  @Override
  public String show(CommitSha commit, String format) {
    return git.show(commit, format);
  }

  @Override
  public Map<String, String> tree(CommitSha commit) {
    return git.tree(commit);
  }

  @Override
  public void refuse(String words) {
    git.refuse(words);
    github.pulls.refusal = Optional.of(words);
  }

  /** Only GitHub's own merge may change branches from now on. */
  void refusePushes() {
    git.refuse("GH006: Changes must be made through a pull request.");
  }

  @Override
  public void vanish() {
    github.vanish();
    git.vanish();
  }

  @Override
  public void close() {
    nodes.forEach(Forge::close);
    github.close();
  }
}
