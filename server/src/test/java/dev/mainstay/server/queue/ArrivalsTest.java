package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings.Mode;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.Together;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.QueueName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pull requests that are submitted while another one is looked at share the next look. */
class ArrivalsTest {
  private static final int MANY = 70;

  @TempDir private Path directory;
  private QueueScene scene;
  private QueueNode node;
  private List<CommitSha> heads;
  private final List<Integer> looks = new CopyOnWriteArrayList<>();
  private final AtomicInteger alone = new AtomicInteger();
  private final CountDownLatch first = new CountDownLatch(1);
  private volatile Consumer<Integer> onShared = size -> {};

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    node = scene.node(this::gated);
    heads = scene.repository.openPacked(MANY);
    scene.connect(Optional.empty());
    scene.create(required("ci"));
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  /** A forge whose first look at pull requests lasts until the test lets it go on. */
  private Forge gated(Forge real) {
    return (Forge)
        Proxy.newProxyInstance(
            Forge.class.getClassLoader(),
            new Class<?>[] {Forge.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("pullRequest")) {
                alone.incrementAndGet();
              }
              if (method.getName().equals("pullRequests")) {
                int size = ((Set<?>) arguments[0]).size();
                looks.add(size);
                if (looks.size() == 1) {
                  first.await();
                } else {
                  onShared.accept(size);
                }
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Submits these, all but the first while that is looked at; the answers in their order. */
  private List<Outcomes.Submit> submit(List<Integer> numbers) throws Exception {
    var answers = new ArrayList<FutureTask<Outcomes.Submit>>();
    var threads = new ArrayList<Thread>();
    for (int number : numbers) {
      var answer = new FutureTask<>(() -> submit(scene.main, number));
      answers.add(answer);
      threads.add(Thread.ofVirtual().start(answer));
      if (answers.size() == 1) {
        until(looks::size, size -> size == 1);
      }
    }
    until(
        () -> threads.stream().filter(t -> isIn(t, Together.class, "answers")).count(),
        sharing -> sharing == numbers.size());
    first.countDown();
    var outcomes = new ArrayList<Outcomes.Submit>();
    for (var answer : answers) {
      outcomes.add(answer.get());
    }
    return outcomes;
  }

  private Outcomes.Submit submit(QueueName queue, int number) {
    return node.queues
        .pullRequests()
        .submit(queue, new PullRequestRef(number), Optional.empty(), Optional.empty());
  }

  private Outcomes.SetTargets tellTargets(QueueName queue, int number) {
    return node.queues
        .pullRequests()
        .setImpactedTargets(
            queue,
            new PullRequestRef(number),
            Optional.of(heads.get(number - 1)),
            ImpactedTargets.of("//cart"));
  }

  /** True while a thread is in this method. */
  private static boolean isIn(Thread thread, Class<?> type, String method) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().equals(type.getName())
                    && frame.getMethodName().equals(method));
  }

  private List<Integer> all() {
    return IntStream.rangeClosed(1, MANY).boxed().toList();
  }

  @Test
  void each_is_seen_as_it_is_and_one_that_is_not_there_is_missed() throws Exception {
    tellTargets(scene.main, 5);
    var numbers = new ArrayList<>(all());
    numbers.add(10, 1000);
    numbers.add(2000);
    List<Outcomes.Submit> answers = submit(numbers);
    assertThat(looks).containsExactly(1, MANY + 1);
    for (int i = 0; i < numbers.size(); i++) {
      int number = numbers.get(i);
      if (number > MANY) {
        assertThat(answers.get(i)).isInstanceOf(Outcomes.NoSuchPullRequest.class);
      } else {
        PullRequestView view = ((Outcomes.Submitted) answers.get(i)).pullRequest();
        assertThat(view.number()).isEqualTo(number);
        assertThat(view.title()).isEqualTo("Change " + number);
        assertThat(view.sha()).contains(heads.get(number - 1).value());
        assertThat(view.readiness().hasImpactedTargets()).isEqualTo(number == 5);
      }
    }
  }

  @Test
  void targets_told_while_their_pull_request_comes_in_are_not_lost() throws Exception {
    first.countDown();
    scene.repository.branch("next");
    var next = new QueueName(scene.main.organizationId(), QueueScene.REPO, "next");
    scene.queues().create(next, required("ci").edit().mode(Mode.PARALLEL).build());
    assertThat(node.queues.find(next)).isPresent();
    var told = new FutureTask<>(() -> tellTargets(next, 5));
    var submitted = new FutureTask<>(() -> submit(next, 5));
    Thread submits = Thread.ofVirtual().unstarted(submitted);
    scene
        .node()
        .database
        .inTransaction(
            handle -> {
              handle.execute("SELECT 1 FROM merge_queue FOR UPDATE");
              Thread.ofVirtual().start(told);
              until(this::waitForALock, waiting -> waiting == 1);
              submits.start();
              until(() -> isIn(submits, QueueRunner.class, "accept"), there -> there);
              return true;
            });
    assertThat(told.get()).isInstanceOf(Outcomes.TargetsSet.class);
    PullRequestView view = ((Outcomes.Submitted) submitted.get()).pullRequest();
    assertThat(view.readiness().hasImpactedTargets()).isTrue();
  }

  private long waitForALock() {
    return scene.count(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
  }

  @Test
  void a_look_that_breaks_is_done_again_for_each() throws Exception {
    onShared =
        size -> {
          throw new IllegalStateException("one of " + size + " cannot be read");
        };
    assertThat(submit(all()))
        .hasSize(MANY)
        .allSatisfy(
            answer -> assertThat(((Outcomes.Submitted) answer).pullRequest().sha()).isPresent());
    assertThat(alone).hasValue(MANY - 1);
  }

  @Test
  void where_the_database_fails_the_forge_is_not_asked_once_more_by_each() {
    onShared =
        size ->
            scene
                .node()
                .database
                .useTransaction(h -> h.execute("ALTER TABLE head_status RENAME TO lost"));
    assertThatThrownBy(() -> submit(all()))
        .isInstanceOf(ExecutionException.class)
        .hasStackTraceContaining("relation \"head_status\" does not exist");
    assertThat(looks).containsExactly(1, MANY - 1);
    assertThat(alone).hasValue(0);
  }

  @Test
  void where_the_forge_does_not_answer_all_wait_to_be_looked_at() throws Exception {
    onShared =
        size -> {
          throw new ForgeUnavailable("It is being mended.");
        };
    List<Outcomes.Submit> answers = submit(all());
    assertThat(((Outcomes.Submitted) answers.getFirst()).pullRequest().sha()).isPresent();
    assertThat(answers.subList(1, MANY))
        .allSatisfy(
            answer -> {
              PullRequestView view = ((Outcomes.Submitted) answer).pullRequest();
              assertThat(view.state()).isEqualTo(PullRequestState.NOT_READY);
              assertThat(view.sha()).isEmpty();
            });
    assertThat(looks).containsExactly(1, MANY - 1);
  }
}
