package dev.mainstay.server;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Statements.Named;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every table belongs to one room: only there it is named, and only its stores write it. Others
 * call those stores, or join the table's view.
 */
class TablesTest {
  /** Each table, the room that owns it, and the stores that write it. */
  private static final Map<String, Owner> OWNERS =
      owners(
          """
          migration               | platform      | Migrations
          secret                  | platform      | SecretStore
          fact                    | platform      | FactStore
          node                    | node          | NodeStore
          webhook                 | event         | EndpointStore
          webhook_event           | event         | EventStore
          webhook_delivery        | event         | DeliveryStore
          webhook_attempt         | event         | AttemptStore
          organization            | access        | OrganizationStore
          api_key                 | access        | KeyStore
          api_key_version         | access        | KeyStore
          person                  | access        | PersonStore
          session                 | access        | SessionStore
          session_version         | access        | SessionStore
          used_sign_in            | access.oidc   | UsedSignInStore
          repository              | repository    | RepositoryStore
          repository_connection   | connection    | ConnectionStore, HookStore
          merge_queue             | queue.store   | QueueStore
          queue_event             | queue.store   | EventStore
          queue_action            | queue.store   | ActionStore
          pull_request            | queue.store   | PullRequestStore, ExpiredStore
          pull_request_transition | queue.store   | PullRequestStore, ExpiredStore
          test_run                | queue.store   | TestRunStore, ExpiredStore
          test_check              | queue.store   | TestRunStore
          test_command_run        | queue.store   | TestCommandStore
          impacted_targets        | queue.store   | TargetStore
          head_status             | queue.store   | HeadStatusStore
          head_check              | queue.store   | HeadCheckStore
          promised_word           | queue.store   | PromiseStore
          conversation            | queue.store   | ConversationStore
          asked                   | queue.store   | AskedStore
          pull_request_comment    | queue.store   | CommentStore
          state_label             | queue.store   | StateLabelStore
          seen_sign               | queue.store   | SignStore
          target_set              | queue.store   | TargetSetStore
          left_branch             | queue.store   | LeftBranchStore
          test_settings           | health.test   | TestSettingsStore
          test                    | health.test   | TestStore, IncomingTestStore, StandingStore, DecisionEndStore
          incoming_test           | health.test   | IncomingTestStore
          ticket                  | health.test   | TicketStore
          upload                  | health.result | UploadStore
          result_feed             | health.result | FeedStore
          arrival                 | health.result | FeedStore
          run                     | health.result | RunStore
          failure                 | health.result | RunStore
          recent_failure          | health.result | RecentFailureStore
          commit_failure          | health.result | CommitFailureStore
          test_hour               | health.result | TestDayStore
          test_day                | health.result | TestDayStore
          repository_day          | health.result | FeedStore, RepositoryDayStore
          bundle                  | health.ingest | BundleStore
          monitor                 | health.judge  | MonitorStore
          monitor_mute            | health.judge  | MonitorStore
          status_change           | health.judge  | StatusChangeStore
          judge_cursor            | health.judge  | JudgeStore
          judge_due               | health.judge  | JudgeStore
          kept_list               | health.list   | KeptListStore
          """);

  private static final Path SOURCES = Path.of("src/main/java/dev/mainstay/server");
  private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");
  private static final Pattern CREATED =
      Pattern.compile("CREATE TABLE (?:IF NOT EXISTS )?(\\w+)(?! PARTITION OF)\\b");
  private static final Pattern VIEW =
      Pattern.compile("CREATE (?:OR REPLACE )?VIEW (\\w+) AS\\s([^;]*);");

  private static final List<Use> USES = files(SOURCES, ".java").flatMap(TablesTest::uses).toList();

  private record Owner(String room, Set<String> writers) {}

  /** A table that a class of a room names. */
  private record Use(String room, String type, Named named) {
    @Override
    public String toString() {
      return room + "." + type + " names " + named.table();
    }
  }

  @Test
  void every_table_has_an_owner() {
    var tables = new TreeSet<String>();
    files(MIGRATIONS, ".sql")
        .forEach(
            file -> CREATED.matcher(text(file)).results().forEach(t -> tables.add(t.group(1))));
    USES.stream().filter(u -> u.named.created()).forEach(u -> tables.add(u.named.table()));
    tables.remove("");
    assertThat(tables).isEqualTo(new TreeSet<>(OWNERS.keySet()));
  }

  @Test
  void a_table_is_named_only_in_the_room_that_owns_it() {
    assertThat(USES)
        .filteredOn(use -> room(use.named.table()).filter(r -> !r.equals(use.room)).isPresent())
        .isEmpty();
  }

  @Test
  void a_table_is_written_by_the_stores_of_the_list_and_no_other() {
    Map<String, Set<String>> written =
        USES.stream()
            .filter(use -> use.named.written() && OWNERS.containsKey(table(use.named.table())))
            .collect(
                groupingBy(
                    use -> table(use.named.table()),
                    TreeMap::new,
                    mapping(Use::type, toCollection(TreeSet::new))));
    OWNERS.forEach(
        (table, owner) -> assertThat(written.get(table)).as(table).isEqualTo(owner.writers));
  }

  @Test
  void a_view_shows_tables_of_one_room_and_views_of_others() {
    var views = files(MIGRATIONS, ".sql").flatMap(f -> VIEW.matcher(text(f)).results()).toList();
    assertThat(views).isNotEmpty();
    for (var view : views) {
      String name = view.group(1);
      Optional<String> owner = room(name.replaceFirst("_view$", ""));
      assertThat(owner).as(name + " is called after a table").isPresent();
      assertThat(Statements.read(view.group(2)))
          .as(name)
          .extracting(named -> room(named.table()))
          .filteredOn(Optional::isPresent)
          .isNotEmpty()
          .containsOnly(owner);
    }
  }

  /** Names of partitions are made; all others can be found by searching for them. */
  @Test
  void a_statement_spells_its_tables_out() {
    assertThat(USES)
        .filteredOn(
            use ->
                use.named.table().isEmpty()
                    && !List.of("PartitionStore", "DumpStore").contains(use.type))
        .isEmpty();
  }

  /** The room of a table; empty for other names. */
  private static Optional<String> room(String table) {
    return Optional.ofNullable(OWNERS.get(table(table))).map(Owner::room);
  }

  /** The table of all retention classes, for that of one. */
  private static String table(String name) {
    return name.replaceFirst("^(run|failure|test_hour)_(30|90|365|1095)?$", "$1");
  }

  private static Map<String, Owner> owners(String list) {
    return list.lines()
        .map(line -> line.split("\\s*\\|\\s*", -1))
        .collect(
            Collectors.toMap(
                fields -> fields[0],
                fields ->
                    new Owner(
                        fields[1],
                        Arrays.stream(fields[2].split(", ")).collect(toCollection(TreeSet::new)))));
  }

  private static Stream<Use> uses(Path source) {
    String room = SOURCES.relativize(source.getParent()).toString().replace('/', '.');
    String type = source.getFileName().toString().replace(".java", "");
    return Statements.texts(text(source)).stream()
        .flatMap(text -> Statements.read(text).stream())
        .map(named -> new Use(room, type, named));
  }

  private static Stream<Path> files(Path directory, String suffix) {
    try (var files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
