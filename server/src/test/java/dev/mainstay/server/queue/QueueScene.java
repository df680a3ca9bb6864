package dev.mainstay.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.connection.Connections;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.LogReplay;
import dev.mainstay.server.queue.store.QueueName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A repository with one queue for main, and as many nodes on one database as asked for. */
public final class QueueScene implements AutoCloseable {
  static final RepoName REPO = new RepoName("git.example.org", "team", "app");

  public final MovableClock clock = new MovableClock();
  public final TestRepository repository;
  public final QueueName main;
  private final Database.Address address = TestDatabase.withTables();
  private final Path directory;
  private final List<QueueNode> nodes = new ArrayList<>();

  public QueueScene(Path directory) {
    this.directory = directory;
    repository = new TestRepository(directory);
    QueueNode first = node(forge -> forge);
    long organization =
        first.database.inTransaction(
            h ->
                h.createQuery(
                        "INSERT INTO organization (slug, name, created_at) VALUES ('acme', 'Acme', now()) RETURNING id")
                    .mapTo(Long.class)
                    .one());
    main = new QueueName(organization, REPO, "main");
  }

  /** The first node. */
  public QueueNode node() {
    return nodes.getFirst();
  }

  /** One more node. */
  public QueueNode node(UnaryOperator<Forge> wrapped) {
    var node = new QueueNode(address, clock, directory.resolve("node" + nodes.size()), wrapped);
    nodes.add(node);
    return node;
  }

  public Queues queues() {
    return node().queues;
  }

  public void connect(Optional<String> command) {
    assertThat(connect(repository.address(), command)).isInstanceOf(Connections.Connected.class);
  }

  Connections.Connect connect(String to, Optional<String> command) {
    return queues()
        .connections()
        .connect(main.organizationId(), REPO, to, command, Duration.ofMinutes(5));
  }

  /** The fault that the connection shows. */
  Optional<String> fault() {
    return queues().connections().find(main.organizationId(), REPO).orElseThrow().fault();
  }

  public void create(QueueSettings settings) {
    assertThat(queues().create(main, settings)).isInstanceOf(Outcomes.Created.class);
  }

  public static QueueSettings required(String... statuses) {
    return QueueSettings.defaults().edit().requiredStatuses(Optional.of(List.of(statuses))).build();
  }

  public Outcomes.Submit submit(int number) {
    return queues()
        .pullRequests()
        .submit(main, new PullRequestRef(number), Optional.empty(), Optional.empty());
  }

  PullRequestView view(int number) {
    return ((Outcomes.Shown) queues().pullRequests().pullRequest(main, new PullRequestRef(number)))
        .pullRequest();
  }

  public PullRequestState state(int number) {
    return view(number).state();
  }

  public List<TestRunView> runs() {
    return ((Outcomes.RunsFound)
            queues().testRuns().testingDetails(main, Optional.empty(), Optional.empty()))
        .runs();
  }

  /** Reports this state for every run whose test branch is there. */
  public void report(CheckState state) {
    runs().stream()
        .filter(run -> run.testBranchSha().isPresent())
        .forEach(
            run ->
                queues()
                    .testRuns()
                    .reportTestStatus(main, run.id(), "ci", state, Optional.empty()));
  }

  /** The event log leads to the state that is stored. */
  public void checkReplay() {
    var result = new LogReplay(node().database).of(main).orElseThrow();
    assertThat(result.difference()).isEmpty();
    assertThat(result.events()).isPositive();
  }

  public long count(String sql) {
    return node().database.query(h -> h.select(sql).mapTo(Long.class).one());
  }

  @Override
  public void close() {
    nodes.forEach(QueueNode::close);
  }
}
