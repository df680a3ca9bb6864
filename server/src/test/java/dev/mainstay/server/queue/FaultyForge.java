package dev.mainstay.server.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository;
import dev.mainstay.server.forge.Host;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A real forge that fails now and then: before it did anything, or after it did everything, so that
 * nobody hears the answer. Calls may do their work twice.
 */
final class FaultyForge implements Forge {
  private final Forge real;
  private final Faults faults;

  /** The faults of a forge: how often a call fails, and how; shared by all nodes of a test. */
  static final class Faults {
    private final Random random;
    private volatile int inTen;
    private volatile boolean kills;
    private final AtomicReference<@Nullable Hanging> next = new AtomicReference<>();
    private final Map<Act, Supplier<RuntimeException>> refused = new ConcurrentHashMap<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final List<Look> looks = new CopyOnWriteArrayList<>();

    Faults(long seed) {
      random = new Random(seed);
    }

    /** So many calls out of ten fail. */
    void fail(int inTen) {
      this.inTen = inTen;
    }

    /** Makes calls fail as a process does that is killed: nobody gets to clean up. */
    void kill(boolean kills) {
      this.kills = kills;
    }

    /** The next such call hangs until it is let go, before or after it did its work. */
    Hanging hang(Moment moment) {
      var hanging = new Hanging(moment, new CountDownLatch(1), new CountDownLatch(1));
      next.set(hanging);
      return hanging;
    }

    /** From now on every such call fails with this. */
    void refuse(Act act, Supplier<RuntimeException> fault) {
      refused.put(act, fault);
    }

    void refuseNothing() {
      refused.clear();
    }

    private void check(Act act) {
      calls.incrementAndGet();
      Supplier<RuntimeException> fault = refused.get(act);
      if (fault != null) {
        throw fault.get();
      }
    }

    /** The number of calls so far, also of those that failed. */
    int calls() {
      return calls.get();
    }

    /** The answers to all looks so far. */
    List<Look> looks() {
      return List.copyOf(looks);
    }

    private synchronized int roll(int sides) {
      return random.nextInt(sides);
    }
  }

  enum Moment {
    BEFORE_MERGE,
    AFTER_MERGE,
    AFTER_BUILD
  }

  /** A call that has come to this moment, and does not get on. */
  record Hanging(Moment moment, CountDownLatch there, CountDownLatch letGo) {}

  /** The node died here. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  FaultyForge(Forge real, Faults faults) {
    this.real = real;
    this.faults = faults;
  }

  /** A call of these changes the repository, or does not. */
  enum Act {
    READ,
    WRITE
  }

  private <T> T call(Act act, Supplier<T> work) {
    faults.check(act);
    boolean fails = faults.roll(10) < faults.inTen;
    boolean before = faults.roll(2) == 0;
    if (fails && before) {
      throw fault();
    }
    T answer = work.get();
    if (faults.inTen > 0 && faults.roll(10) == 0) {
      answer = work.get();
    }
    if (fails) {
      throw fault();
    }
    return answer;
  }

  private RuntimeException fault() {
    if (faults.kills) {
      throw new Killed();
    }
    return new ForgeUnavailable("The forge is down.");
  }

  @Override
  public Look look(Optional<String> mark) {
    Look look = call(Act.READ, () -> real.look(mark));
    faults.looks.add(look);
    return look;
  }

  @Override
  public Optional<PullRequestView> pullRequest(PullRequestRef pr, String targetBranch) {
    return call(Act.READ, () -> real.pullRequest(pr, targetBranch));
  }

  @Override
  public Optional<List<String>> requiredStatuses(String targetBranch) {
    return call(Act.READ, () -> real.requiredStatuses(targetBranch));
  }

  @Override
  public List<Finding> findings(Set<String> targetBranches) {
    return call(Act.READ, () -> real.findings(targetBranches));
  }

  @Override
  public GitRepository git() {
    return new FaultyGit();
  }

  @Override
  public Abilities abilities() {
    return real.abilities();
  }

  @Override
  public Optional<Host> host() {
    return real.host();
  }

  private final class FaultyGit implements GitRepository {
    @Override
    public BuildResult build(TestBranch branch) {
      BuildResult result = call(Act.WRITE, () -> real.git().build(branch));
      hang(Moment.AFTER_BUILD);
      return result;
    }

    @Override
    public LandingResult land(Landing landing) {
      hang(Moment.BEFORE_MERGE);
      LandingResult result = call(Act.WRITE, () -> real.git().land(landing));
      hang(Moment.AFTER_MERGE);
      return result;
    }

    @Override
    public Set<CommitSha> reached(CommitSha from, CommitSha to, Set<CommitSha> heads) {
      return call(Act.READ, () -> real.git().reached(from, to, heads));
    }

    @Override
    public boolean isSum(CommitSha to, CommitSha from, List<Head> heads) {
      return call(Act.READ, () -> real.git().isSum(to, from, heads));
    }

    @Override
    public void deleteTestBranches(List<String> names) {
      call(
          Act.WRITE,
          () -> {
            real.git().deleteTestBranches(names);
            return true;
          });
    }

    @Override
    public Optional<byte[]> file(CommitSha commit, String path) {
      return call(Act.READ, () -> real.git().file(commit, path));
    }

    @Override
    public Optional<String> checkout(CommitSha commit, Path directory) {
      faults.check(Act.READ);
      return real.git().checkout(commit, directory);
    }
  }

  private void hang(Moment moment) {
    Hanging hanging = faults.next.get();
    if (hanging != null && hanging.moment() == moment && faults.next.compareAndSet(hanging, null)) {
      hanging.there().countDown();
      try {
        hanging.letGo().await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    real.close();
  }
}
