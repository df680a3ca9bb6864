package dev.mainstay.server.forge.gitlab;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.forge.git.GitWorld;
import dev.mainstay.server.forge.git.copy.GitLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A project at the fake GitLab, with authors who push to branches of it, or to forks. Titles and
 * texts are those of the newest commit until somebody describes the merge request.
 */
final class GitLabWorld implements ForgeWorld {
  private final GitWorld git;
  private final boolean forks;
  private final Path root;
  private final List<Forge> nodes = new ArrayList<>();
  private final Set<Integer> described = new HashSet<>();
  private final Map<CommitSha, Edit> edits = new HashMap<>();
  final FakeGitLab gitlab;

  GitLabWorld(Path root, boolean forks) {
    this.root = root;
    this.forks = forks;
    try {
      Path group = Files.createDirectories(root.resolve("acme/platform"));
      this.git = new GitWorld(group, path -> GitWorld.at(path.toString()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    this.gitlab = new FakeGitLab(root);
  }

  static String sourceBranch(int request) {
    return "change-" + request;
  }

  /** Nobody waits here: what the fake shows later, it shows after so many questions. */
  static GitLabKind kind(Path caches) {
    return new GitLabKind(
        caches,
        GitLimits.USUAL,
        InstantSource.system(),
        Reach.usual(),
        new Patience(Duration.ZERO, 3));
  }

  String location() {
    return gitlab.address() + "/" + FakeGitLab.PATH;
  }

  @Override
  public Forge node() {
    Forge forge =
        kind(root.resolve("node" + nodes.size()))
            .open(
                location(),
                () -> Optional.of(new HostCredentials.Token(FakeGitLab.TOKEN).stored()));
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
    gitlab.pushed();
  }

  @Override
  public void deleteBranch(String branch) {
    git.deleteBranch(branch);
    gitlab.pushed();
  }

  @Override
  public void open(int number, CommitSha head) {
    synchronized (gitlab) {
      if (forks) {
        gitlab.repository.bring(git.author(), head.value(), FakeRequests.reference(number));
      } else {
        git.push(sourceBranch(number), head);
        gitlab.pushed();
      }
      FakeRequest request =
          gitlab
              .requests
              .find(number)
              .filter(r -> !r.state.equals("closed"))
              .orElseGet(() -> opened(number, head));
      if (forks && request.isOpen()) {
        request.head = head.value();
        request.touch();
      }
      if (!described.contains(number)) {
        String[] words = text(edit(head).message()).split("\n", 2);
        request.title = words[0].strip();
        request.description = words.length > 1 ? words[1].strip() : "";
      }
    }
  }

  private FakeRequest opened(int number, CommitSha head) {
    Optional<String> branch = forks ? Optional.empty() : Optional.of(sourceBranch(number));
    String author = text(edit(head).author().replaceFirst("<.*", ""));
    var request = new FakeRequest(number, author, branch, "main", head.value());
    gitlab.requests.add(request);
    return request;
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
    FakeRequest request = gitlab.requests.of(number);
    request.draft = lines.contains("draft: true");
    request.title = (request.draft ? "Draft: " : "") + lines.getFirst();
    request.target =
        lines.stream()
            .filter(l -> l.startsWith("base: "))
            .map(l -> l.substring("base: ".length()))
            .findFirst()
            .orElse("main");
    request.description =
        String.join(
                "\n", lines.stream().skip(1).filter(l -> !l.matches("(base|draft): .*")).toList())
            .strip();
    request.touch();
  }

  @Override
  public void close(int number) {
    gitlab.requests.of(number).close();
  }

  @Override
  public String sign() {
    return "!";
  }

  @Override
  public Optional<CommitSha> branch(String name) {
    return git.branch(name);
  }

  /** All but those of merge requests. */
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
    gitlab.requests.refusal = Optional.of(words);
  }

  /** Only GitLab's own merge may change branches from now on. */
  void refusePushes() {
    git.refuse("GitLab: You are not allowed to push code to protected branches on this project.");
  }

  @Override
  public void vanish() {
    gitlab.vanish();
    git.vanish();
  }

  @Override
  public void close() {
    nodes.forEach(Forge::close);
    gitlab.close();
  }
}
