package dev.mainstay.server.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.command.TestCommand.Outcome;
import dev.mainstay.server.command.TestCommand.Running;
import dev.mainstay.server.command.TestCommand.Spec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands behave the same however they are kept away from the node. */
class ConfinementTest {
  private Path directory;
  private Path data;

  @BeforeEach
  void make() throws IOException {
    directory = TestDatabase.openDirectory();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    data = Files.createDirectory(directory.resolve("data"));
    Files.writeString(data.resolve("secret"), "not for commands");
  }

  @AfterEach
  void remove() {
    TestDatabase.delete(directory);
  }

  /** What can be told of a way on this machine. */
  enum Way {
    SANDBOX,
    USER,
    BOTH;

    Confinement of(Path data) {
      boolean sandbox = this != USER;
      boolean user = this != SANDBOX;
      if (sandbox) {
        Bubblewrap.assumeItWorks();
      }
      assumeTrue(!user || TestUser.areThere(), "only root can give a command another user");
      return new Confinement(user, sandbox ? Optional.of(new Sandbox(data)) : Optional.empty());
    }
  }

  @Test
  void a_command_that_ends_all_processes_of_its_user_does_not_mislead_a_node_that_starts()
      throws Exception {
    assumeTrue(TestUser.areThere(), "only root can give a command another user");
    Optional<TestUser> first = TestUser.take(directory, TestUser.FIRST);
    assumeTrue(first.isPresent(), "another node has the first user");
    try (TestUser user = first.get()) {
      var command = new ArrayList<>(user.words());
      command.addAll(List.of("--", "sh", "-c", "while :; do kill -KILL -1; done"));
      Process hostile = new ProcessBuilder(command).start();
      try {
        for (int time = 0; time < 10; time++) {
          assertThat(UserReach.unreadable(Collections.nCopies(200, directory))).isEmpty();
        }
      } finally {
        hostile.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void a_command_outlives_what_is_done_late_about_a_node_that_was_killed() throws Exception {
    Confinement users = Way.USER.of(data);
    Path runs = data.resolve("work/tests");
    try (var killed = CommandInProcess.start(directory, runs, true)) {
      ProcessHandle keeper = killed.killBeforeKeeper();
      Path begun = fifo("begun");
      Path ending = fifo("ending");
      Running next =
          CommandRun.start(
              TestCommandTest.spec(
                  runs, "echo > %s; read -r line < %s".formatted(begun, ending), users));
      Files.readString(begun);
      CommandInProcess.goOn(keeper);
      // Opened for both, since nobody else may be left at the other end.
      try (var end = new RandomAccessFile(ending.toFile(), "rw")) {
        end.write('\n');
        assertThat(outcome(next)).isEqualTo(new Outcome.Passed());
      }
      assertThat(CommandInProcess.isAlive(killed.background())).isFalse();
    }
  }

  private Path fifo(String name) throws Exception {
    Path fifo = directory.resolve(name);
    assertThat(new ProcessBuilder("mkfifo", "-m", "666", "" + fifo).start().waitFor()).isZero();
    return fifo;
  }

  private Spec spec(Way way, String commandLine, Duration limit) {
    Spec plain = TestCommandTest.spec(data.resolve("work/tests"), commandLine);
    return new Spec(
        commandLine,
        plain.checkout(),
        plain.begin(),
        plain.directory(),
        plain.facts(),
        plain.kit(),
        way.of(data),
        limit,
        Duration.ofMinutes(5),
        1 << 20);
  }

  private Running start(Way way, String commandLine) {
    return CommandRun.start(spec(way, commandLine, Duration.ofMinutes(5)));
  }

  private static Outcome outcome(Running running) {
    return running.outcome().join();
  }

  private void assertNothingIsLeft() {
    assertThat(data.resolve("work/tests")).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void it_passes_and_fails_with_its_exit_code(Way way) {
    Running run = start(way, "cat a.txt; touch b \"$TMPDIR/c\" \"$HOME/d\" && echo written");
    assertThat(outcome(run)).as(run.output()).isEqualTo(new Outcome.Passed());
    assertThat(run.output()).isEqualTo("hello\nwritten\n");
    assertThat(outcome(start(way, "exit 3"))).isEqualTo(new Outcome.Failed(3));
    assertThat(outcome(start(way, "kill -9 $$"))).isEqualTo(new Outcome.Failed(137));
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void it_may_clean_up_when_it_is_cancelled(Way way) throws Exception {
    Path ready = fifo("ready");
    Path cleaned = directory.resolve("cleaned");
    Running run =
        start(
            way,
            "trap 'touch %s; exit 0' TERM; echo > %s; sleep 1000 & wait".formatted(cleaned, ready));
    Files.readString(ready);
    run.cancel();
    assertThat(outcome(run)).isEqualTo(new Outcome.Cancelled());
    assertThat(cleaned).exists();
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource
  void what_it_sends_away_ends_with_it(Way way) throws Exception {
    Path away = directory.resolve("away");
    Running run =
        start(
            way,
            ("(setsid env -i sh -c 'echo $$ > %1$s.new; mv %1$s.new %1$s; exec /bin/sleep 7531' &);"
                    + " until [ -e %1$s ]; do sleep 0.1; done")
                .formatted(away));
    assertThat(outcome(run)).isEqualTo(new Outcome.Passed());
    assertThat(ProcessHandle.allProcesses().filter(p -> isSleeper(p)).toList()).isEmpty();
    assertNothingIsLeft();
  }

  private static boolean isSleeper(ProcessHandle process) {
    return List.of(process.info().arguments().orElse(new String[0])).contains("7531");
  }

  @Test
  void a_sandbox_hides_the_data_and_the_processes_of_the_node() {
    Running run =
        start(
            Way.SANDBOX,
            "ls -A %s; cat %1$s/secret /proc/%d/environ; echo > /etc/x; kill -0 %2$d"
                .formatted(data, ProcessHandle.current().pid()));
    assertThat(outcome(run)).isInstanceOf(Outcome.Failed.class);
    assertThat(run.output())
        .startsWith("work\n")
        .doesNotContain("not for commands")
        .contains("secret: No such file", "environ: No such file", "/etc/x: Read-only file system");
  }

  @Test
  void two_commands_at_once_are_two_users() {
    Path place = directory;
    String meet =
        "id -u > %1$s/$$.new; mv %1$s/$$.new %1$s/$(id -u).user; until [ $(ls %1$s/*.user | wc -l) = 2 ]; do sleep 0.1; done"
            .formatted(place);
    Running one = start(Way.USER, meet);
    Running two = start(Way.USER, meet);
    assertThat(outcome(one)).isEqualTo(new Outcome.Passed());
    assertThat(outcome(two)).isEqualTo(new Outcome.Passed());
  }
}
