package dev.mainstay.bench.crash;

import dev.mainstay.bench.Waiting;
import dev.mainstay.bench.crash.Repo.Kind;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.embedded.EmbeddedPostgres;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Logs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Several nodes on one database take pull requests of a real git repository to main, while each of
 * them is killed with kill -9 at random moments and started again, or stopped for a while. The
 * repository is plain git, or at the fake GitHub, which lives on in this process. Afterwards every
 * submission must have ended exactly once and rightly, main must be a tested tree, and nothing may
 * be left behind: at GitHub, what landed is shown as merged, and all else is as its author left it.
 */
public final class CrashRun {
  private static final String TOKEN = "mst_crash-run-crash-run-crash-run-crash";
  private static final int MOST_OPEN = 8;
  private static final Duration LONGEST_DRAIN = Duration.ofMinutes(5);

  /** Longer than any lease that matters. */
  private static final Duration LONGEST_STOP = Duration.ofSeconds(35);

  /**
   * The size of a run: how often to kill, how many nodes there are, how long one is stopped at
   * most, the seed of all chances, and whether the repository is at GitHub.
   */
  public record Plan(int kills, int nodes, Duration longestStop, long seed, boolean atGitHub) {
    static Plan of(List<String> args) {
      boolean atGitHub = args.stream().limit(1).anyMatch("github"::equals);
      List<String> numbers = args.subList(atGitHub ? 1 : 0, args.size());
      return new Plan(
          !numbers.isEmpty() ? Integer.parseInt(numbers.get(0)) : 200,
          numbers.size() > 1 ? Integer.parseInt(numbers.get(1)) : 2,
          LONGEST_STOP,
          numbers.size() > 2 ? Long.parseLong(numbers.get(2)) : System.nanoTime(),
          atGitHub);
    }

    /** The same with other kills. */
    Plan of(int fewer, long otherSeed) {
      return new Plan(fewer, nodes, longestStop, otherSeed, atGitHub);
    }

    String where() {
      return atGitHub ? "at the fake GitHub" : "on plain git";
    }

    Place place(Path directory) throws IOException {
      return atGitHub ? new AtGitHub(directory, seed) : new PlainGit(directory);
    }
  }

  private final Plan plan;
  private final PrintStream out;
  private final Random random;
  private final Progress progress;
  private final Map<Integer, Kind> submitted = new LinkedHashMap<>();

  private CrashRun(Plan plan, PrintStream out) {
    this.plan = plan;
    this.out = out;
    this.random = new Random(plan.seed());
    this.progress = new Progress(plan.kills());
  }

  /** Everything that was not as it should be; nothing, when all is well. */
  public static List<String> faults(Plan plan, Path directory, PrintStream out) throws Exception {
    return new CrashRun(plan, out).run(directory);
  }

  /** {@code bench/crash [github] [KILLS [NODES [SEED [LEDGER]]]]}. */
  public static void main(String[] args) throws Exception {
    List<String> given = List.of(args);
    var plan = Plan.of(given);
    int most = plan.atGitHub() ? 4 : 3;
    boolean well = true;
    if (given.size() <= most) {
      well = endsWell(plan);
    } else {
      var stretches = new Stretches(Path.of(given.get(most)));
      for (Plan stretch : stretches.left(plan)) {
        boolean one = endsWell(stretch);
        well &= one;
        if (one) {
          stretches.endedWell(stretch);
        }
      }
    }
    System.exit(well ? 0 : 1);
  }

  private static boolean endsWell(Plan plan) throws Exception {
    Path directory = Workplace.create();
    System.out.printf(
        "%d kills, %d nodes, seed %d, %s, in %s%n",
        plan.kills(), plan.nodes(), plan.seed(), plan.where(), directory);
    long begun = System.nanoTime();
    List<String> faults = faults(plan, directory, System.out);
    System.out.printf("%d s%n", Duration.ofNanos(System.nanoTime() - begun).toSeconds());
    faults.forEach(System.out::println);
    if (faults.isEmpty()) {
      Workplace.delete(directory);
      System.out.println("Every submission ended exactly once, and main is what was tested.");
    }
    return faults.isEmpty();
  }

  private List<String> run(Path directory) throws Exception {
    Logs.configure(Logs.Format.TEXT, "WARN");
    var data = DataDirectory.at(directory.resolve("database"));
    try (Place place = plan.place(directory);
        var postgres = EmbeddedPostgres.tryStart(data, () -> {}).orElseThrow();
        var database = Database.connect(postgres.address(), 2)) {
      database.migrate();
      List<Node> nodes = nodes(directory, postgres.address());
      try {
        var fleet = new Fleet(nodes, TOKEN, plan.seed(), progress);
        var queue = new CrashQueue(fleet);
        setUp(queue, place);
        submitUntilTheLastKill(queue, place);
        for (Node node : nodes) {
          node.settle();
        }
        Waiting.until(() -> queue.open() == 0, LONGEST_DRAIN);
        var aftermath = new Aftermath(queue, place, database, submitted, out);
        return Stream.concat(aftermath.faults().stream(), logged(nodes)).toList();
      } finally {
        progress.noMoreKills();
        nodes.forEach(Node::close);
      }
    }
  }

  private List<Node> nodes(Path directory, Database.Address address) throws IOException {
    var nodes = new ArrayList<Node>();
    for (int i = 0; i < plan.nodes(); i++) {
      Path place = Files.createDirectories(directory.resolve("node-" + i).resolve("data"));
      var environment = Map.of("MAINSTAY_DATABASE_URL", url(address), "MAINSTAY_TOKEN", TOKEN);
      nodes.add(
          new Node(
              place, environment, plan.seed() + i + 1, plan.longestStop().toMillis(), progress));
    }
    return nodes;
  }

  /** The errors in the nodes' logs: no node should have any, whatever happens to the others. */
  private static Stream<String> logged(List<Node> nodes) throws IOException {
    var errors = new ArrayList<String>();
    for (Node node : nodes) {
      try (var lines = Files.lines(node.log())) {
        lines.filter(line -> line.contains(" ERROR ")).distinct().limit(5).forEach(errors::add);
      }
    }
    return errors.stream();
  }

  private static String url(Database.Address address) {
    return address
        .jdbcUrl()
        .replace("://", "://%s:%s@".formatted(address.user(), address.password()));
  }

  private void setUp(CrashQueue queue, Place place) throws InterruptedException {
    queue.connect(place.connection());
    var settings = new LinkedHashMap<>(place.settings());
    settings.put("concurrency", 4);
    settings.put("batch", random.nextBoolean());
    settings.put("batchingMinSize", 3);
    settings.put("batchingMaxWaitTimeMinutes", 0);
    try {
      queue.create(settings);
    } catch (Fleet.Refused e) {
      // Made before its answer was lost.
    }
  }

  private void submitUntilTheLastKill(CrashQueue queue, Place place)
      throws IOException, InterruptedException {
    int told = plan.kills();
    while (progress.killsLeft() > 0) {
      if (queue.open() < MOST_OPEN) {
        Kind kind = Repo.kind(random);
        int number = place.open(kind);
        submitted.put(number, kind);
        place.tell(queue.fleet());
        queue.post("submitPullRequest", "pr", Map.of("number", number));
      } else {
        Thread.sleep(50);
      }
      if (told - progress.killsLeft() >= 20) {
        told = progress.killsLeft();
        out.printf("%d kills to go, %d submitted%n", told, submitted.size());
      }
    }
  }
}
