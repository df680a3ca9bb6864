package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.time.Instant;

/** The time and the mark of the commits that we make. */
interface Stamp {
  Instant at(String parent, Head head);

  String mark(Head head);

  /**
   * The stamp of what is tested: it depends on nothing but the commits themselves, so that a change
   * becomes the same commit in every test branch that holds it, and when it lands.
   */
  static Stamp ofTested(GitCache cache) {
    return new Stamp() {
      @Override
      public Instant at(String parent, Head head) {
        Commit below = cache.knownCommit(parent);
        Commit newest = cache.knownCommit(head.commit().value());
        return Instant.ofEpochSecond(Math.max(below.time(), newest.time()));
      }

      @Override
      public String mark(Head head) {
        return LandingMark.header(head);
      }
    };
  }

  /** The stamp of commits that are made for one landing. */
  static Stamp of(Landing landing) {
    return new Stamp() {
      @Override
      public Instant at(String parent, Head head) {
        return landing.at();
      }

      @Override
      public String mark(Head head) {
        return LandingMark.header(landing, head);
      }
    };
  }
}
