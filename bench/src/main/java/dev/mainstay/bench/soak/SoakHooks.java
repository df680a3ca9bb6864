package dev.mainstay.bench.soak;

import dev.mainstay.bench.BenchRepo;
import dev.mainstay.bench.GitHubHook;
import dev.mainstay.bench.StubGitHub;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A GitHub that calls hooks of repositories in which nothing else happens; each is looked at. */
final class SoakHooks implements AutoCloseable {
  private static final String SECRET = "soak-soak-soak-soak-soak-soak";

  private final SoakNode node;
  private final int repositories;
  private final StubGitHub github;

  SoakHooks(SoakNode node, Tally tally, int repositories) throws IOException {
    this.node = node;
    this.repositories = repositories;
    Path root = node.directory().resolve("github");
    BenchRepo only = BenchRepo.create(root.resolve("only.git"));
    Path owner = Files.createDirectories(root.resolve("acme"));
    for (int i = 0; i < repositories; i++) {
      Files.createSymbolicLink(owner.resolve(name(i) + ".git"), only.directory());
    }
    github = new StubGitHub(root, only.commit("main"));
    tally.say("a GitHub at " + github.address());
  }

  private static String name(int i) {
    return SoakNode.name(SoakRun.QUEUES + i);
  }

  void connect() throws IOException, InterruptedException {
    var app = Map.of("id", StubGitHub.APP, "privateKey", StubGitHub.appKey(), "hookSecret", SECRET);
    for (int i = 0; i < repositories; i++) {
      node.post(
          "connectRepository",
          Map.of(
              "repo",
              SoakNode.repo(SoakRun.QUEUES + i),
              "address",
              github.address() + "/acme/" + name(i),
              "kind",
              "github",
              "credentials",
              Map.of("app", app)));
    }
  }

  void call(int number) throws IOException, InterruptedException {
    var hook = new GitHubHook(SECRET, "acme/" + name(number % repositories));
    node.answer(hook.call(node.address(), "push"));
  }

  @Override
  public void close() {
    github.close();
  }
}
