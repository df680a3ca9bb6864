package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.ForgeScene;
import dev.mainstay.server.forge.ForgeWorld;
import dev.mainstay.server.forge.GitRepository.Head;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A repository of a real Gitea, its owner at hand. */
@ExtendWith(NeedsGitea.class)
abstract class GiteaScene extends ForgeScene {
  GiteaWorld gitea;
  GiteaApi api;

  @Override
  protected ForgeWorld world(Path directory) {
    return new GiteaWorld(directory);
  }

  @BeforeEach
  void connect() {
    gitea = (GiteaWorld) world;
    api = gitea.api();
  }

  @AfterEach
  void disconnect() {
    api.close();
  }

  /** Opens a pull request from a branch of the repository itself. */
  Head openFromBranch(int number, String branch, String base, Edit edit) {
    CommitSha head = world.commit(edit);
    world.push(branch, head);
    gitea
        .owner()
        .post(
            gitea.path() + "/pulls",
            Map.of("head", branch, "base", base, "title", "From " + branch));
    gitea.opened(number);
    gitea.awaitHead(number, head);
    return new Head(new PullRequestRef(number), head);
  }

  void protect(Map<String, ?> rule) {
    gitea.owner().post(gitea.path() + "/branch_protections", rule);
  }

  void status(CommitSha commit, String context, String state) {
    gitea
        .owner()
        .post(gitea.path() + "/statuses/" + commit, Map.of("context", context, "state", state));
  }
}
