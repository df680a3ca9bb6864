package dev.mainstay.server.queue.work;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.GitRepository;
import dev.mainstay.server.queue.store.OpenQueue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The CODEOWNERS file of a repository, where GitHub and GitLab look for it: the first counts. */
final class OwnersFile {
  private static final List<String> PLACES =
      List.of(".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS");

  private OwnersFile() {}

  /**
   * The commit whose file counts: that of the oldest queue's branch, without a queue that of main
   * or master.
   */
  static Optional<CommitSha> commit(List<OpenQueue> queues, Forge.Heads heads) {
    return Stream.concat(
            queues.stream().map(queue -> queue.state().target().branch()),
            Stream.of("main", "master"))
        .flatMap(branch -> Optional.ofNullable(heads.branches().get(branch)).stream())
        .findFirst();
  }

  static Optional<byte[]> read(GitRepository git, CommitSha commit) {
    return PLACES.stream().flatMap(place -> git.file(commit, place).stream()).findFirst();
  }
}
