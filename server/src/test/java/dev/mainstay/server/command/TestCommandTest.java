package dev.mainstay.server.command;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.command.TestCommand.Facts;
import dev.mainstay.server.command.TestCommand.Outcome;
import dev.mainstay.server.command.TestCommand.Running;
import dev.mainstay.server.command.TestCommand.Spec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real commands, well-behaved and not. */
class TestCommandTest {
  private static final Facts FACTS =
      new Facts(
          new RepoName("git.example", "acme", "shop"),
          "r-1",
          "mainstay/main/r1",
          new CommitSha("1".repeat(40)),
          new CommitSha("2".repeat(40)),
          "main",
          List.of(new PullRequestRef(7), new PullRequestRef(9)));

  @TempDir Path directory;

  static Spec spec(Path runs, String commandLine) {
    return spec(runs, commandLine, Confinement.NONE);
  }

  static Spec spec(Path runs, String commandLine, Confinement confinement) {
    return new Spec(
        commandLine,
        into -> {
          write(into.resolve("a.txt"), "hello\n");
          return Optional.empty();
        },
        () -> {},
        runs,
        FACTS,
        Kit.NOTHING,
        confinement,
        Duration.ofMinutes(5),
        Duration.ofMillis(50),
        1 << 20);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Running start(String commandLine) {
    return CommandRun.start(spec(directory.resolve("runs"), commandLine));
  }

  private static Outcome outcome(Running running) {
    return running.outcome().join();
  }

  @Test
  void it_runs_in_the_checkout_and_knows_what_it_tests() {
    Running run =
        start(
            "cat a.txt; echo $MAINSTAY_TEST_BRANCH $MAINSTAY_COMMIT $MAINSTAY_TARGET_BRANCH $MAINSTAY_PULL_REQUESTS >&2; touch $TMPDIR/x");
    assertThat(outcome(run)).isEqualTo(new Outcome.Passed());
    assertThat(run.output()).isEqualTo("hello\nmainstay/main/r1 " + "1".repeat(40) + " main 7,9\n");
    assertNothingIsLeft();
  }

  @Test
  void it_hears_nothing_of_the_secrets_of_the_service() {
    Running run = start("env | cut -d= -f1");
    assertThat(outcome(run)).isEqualTo(new Outcome.Passed());
    assertThat(run.output().lines())
        .isSubsetOf(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "LANG",
            "LC_ALL",
            "TZ",
            "JAVA_HOME",
            "http_proxy",
            "https_proxy",
            "no_proxy",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "NO_PROXY",
            "CI",
            "TMPDIR",
            "MAINSTAY_TEST_BRANCH",
            "MAINSTAY_COMMIT",
            "MAINSTAY_TARGET_BRANCH",
            "MAINSTAY_PULL_REQUESTS",
            "MAINSTAY_REPO",
            "MAINSTAY_TEST_RUN_ID",
            "MAINSTAY_BASE_COMMIT",
            "MAINSTAY_TEST_RUN",
            "PWD",
            "SHLVL",
            "_",
            "OLDPWD");
  }

  private Running start(String commandLine, Kit kit) {
    Spec plain = spec(directory.resolve("runs"), commandLine);
    return CommandRun.start(
        new Spec(
            plain.commandLine(),
            plain.checkout(),
            plain.begin(),
            plain.directory(),
            FACTS,
            kit,
            plain.confinement(),
            plain.limit(),
            plain.grace(),
            plain.maxOutput()));
  }

  @Test
  void it_is_given_variables_whose_secrets_do_not_show() {
    var kit =
        new Kit(
            Map.of("TOKEN", "s3cr3t-of-ours", "PEM", "-----BEGIN\nline-of-it\n-----END"),
            Set.of("s3cr3t-of-ours", "-----BEGIN\nline-of-it\n-----END", "ab"),
            List.of());
    Running run =
        start(
            "echo \"[$TOKEN]\"; printf s3cr; printf '3t-of-'; echo ours; echo \"$PEM\"; "
                + "echo ab; printf s3cr3t-of",
            kit);
    assertThat(outcome(run)).isEqualTo(new Outcome.Passed());
    assertThat(run.output()).isEqualTo("[***]\n***\n***\nab\ns3cr3t-of");
  }

  @Test
  void the_variables_of_its_test_cannot_be_replaced() {
    var kit = new Kit(Map.of("MAINSTAY_COMMIT", "another", "MINE", "mine"), Set.of(), List.of());
    Running run = start("echo $MAINSTAY_COMMIT $MINE", kit);
    assertThat(outcome(run)).isEqualTo(new Outcome.Passed());
    assertThat(run.output()).isEqualTo("1".repeat(40) + " mine\n");
  }

  @Test
  void it_finds_mainstay_and_its_arguments_arrive() {
    var kit = new Kit(Map.of(), Set.of(), List.of("printf", "%s|", "it's", "two words"));
    Running run = start("mainstay 'a b' \"c'd\"", kit);
    assertThat(outcome(run)).isEqualTo(new Outcome.Passed());
    assertThat(run.output()).isEqualTo("it's|two words|a b|c'd|");
    assertNothingIsLeft();
  }

  @Test
  void it_fails_with_its_exit_code() {
    assertThat(outcome(start("exit 3"))).isEqualTo(new Outcome.Failed(3));
    assertThat(outcome(start("no-such-program-here"))).isEqualTo(new Outcome.Failed(127));
    assertThat(outcome(start("kill -9 $$"))).isEqualTo(new Outcome.Failed(137));
  }

  @Test
  void a_flood_of_output_is_cut_in_the_middle() {
    Running run = start("echo first; yes | head -c 30000000; echo last");
    assertThat(outcome(run)).isEqualTo(new Outcome.Passed());
    assertThat(run.output())
        .startsWith("first\n")
        .endsWith("last\n")
        .contains("\n[" + (30_000_011 - (1 << 20)) + " bytes of output are left out here]\n")
        .hasSizeLessThan((1 << 20) + 200);
  }

  @Test
  void it_ends_at_its_time_limit() {
    Spec slow = spec(directory.resolve("runs"), "sleep 1000 & sleep 1000");
    Spec limited =
        new Spec(
            slow.commandLine(),
            slow.checkout(),
            slow.begin(),
            slow.directory(),
            FACTS,
            Kit.NOTHING,
            Confinement.NONE,
            Duration.ofMillis(100),
            slow.grace(),
            1000);
    assertThat(outcome(CommandRun.start(limited))).isEqualTo(new Outcome.TimedOut());
    assertNothingIsLeft();
  }

  @Test
  void it_is_cancelled_even_if_it_does_not_listen() throws Exception {
    Path ready = fifo();
    Running run =
        start("trap '' TERM; echo one; echo $$ > " + ready + "; while :; do sleep 1000; done");
    long pid = pid(ready);
    until(run::output, "one\n"::equals);
    run.cancel();
    run.cancel();
    assertThat(outcome(run)).isEqualTo(new Outcome.Cancelled());
    assertThat(CommandInProcess.isAlive(pid)).isFalse();
    assertNothingIsLeft();
    run.cancel();
    assertThat(outcome(run)).isEqualTo(new Outcome.Cancelled());
  }

  @Test
  void it_may_clean_up_when_it_is_cancelled() throws Exception {
    Path ready = fifo();
    Path cleaned = directory.resolve("cleaned");
    Spec patient =
        spec(
            directory.resolve("runs"),
            "trap 'touch "
                + cleaned
                + "; exit 0' TERM; echo $$ > "
                + ready
                + "; sleep 1000 & wait");
    Running run =
        CommandRun.start(
            new Spec(
                patient.commandLine(),
                patient.checkout(),
                patient.begin(),
                patient.directory(),
                FACTS,
                Kit.NOTHING,
                Confinement.NONE,
                patient.limit(),
                Duration.ofMinutes(5),
                1000));
    pid(ready);
    run.cancel();
    assertThat(outcome(run)).isEqualTo(new Outcome.Cancelled());
    assertThat(cleaned).exists();
  }

  @Test
  void what_it_left_in_the_background_ends_with_it() throws Exception {
    Path ready = fifo();
    Running run =
        start(
            "(setsid sh -c 'echo $$ > "
                + ready
                + "; exec sleep 1000' </dev/null >/dev/null 2>&1 &); nohup sleep 1000 & cat "
                + ready
                + " > pid; cp pid "
                + directory
                + "/pid; exit 0");
    assertThat(outcome(run)).isEqualTo(new Outcome.Passed());
    long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    assertThat(CommandInProcess.isAlive(pid)).isFalse();
    assertNothingIsLeft();
  }

  @Test
  void one_that_empties_its_environment_is_found_by_its_session() throws Exception {
    Path ready = fifo();
    Running run = start("env -i sh -c 'echo $$ > " + ready + "; exec /bin/sleep 1000' & wait");
    long pid = pid(ready);
    run.cancel();
    assertThat(outcome(run)).isEqualTo(new Outcome.Cancelled());
    assertThat(CommandInProcess.isAlive(pid)).isFalse();
  }

  @Test
  void files_that_were_made_read_only_are_removed() {
    Running run = start("mkdir -p d/e; touch d/e/f; ln -s / root; chmod -R a-w d; chmod 0 d/e");
    assertThat(outcome(run)).isEqualTo(new Outcome.Passed());
    assertNothingIsLeft();
    assertThat(Path.of("/tmp")).isDirectory();
  }

  @Test
  void a_checkout_that_fails_is_said_to() {
    Spec good = spec(directory.resolve("runs"), "true");
    var closed = new Outcome.NoFiles("The forge is closed.", Duration.ofMinutes(1));
    Running run =
        CommandRun.start(
            new Spec(
                "true",
                into -> Optional.of(closed),
                good.begin(),
                good.directory(),
                FACTS,
                Kit.NOTHING,
                Confinement.NONE,
                good.limit(),
                good.grace(),
                1000));
    assertThat(outcome(run)).isEqualTo(closed);
    assertNothingIsLeft();
  }

  @Test
  void nothing_survives_a_service_that_was_killed() throws Exception {
    try (var service = CommandInProcess.start(directory, directory.resolve("runs"))) {
      CommandRun.sweep(directory.resolve("runs"));
      assertThat(CommandInProcess.isAlive(service.background())).isTrue();
      service.killWithKeeper();
      CommandRun.sweep(directory.resolve("runs"));
      until(() -> CommandInProcess.isAlive(service.background()), Boolean.FALSE::equals);
      assertNothingIsLeft();
    }
  }

  @Test
  void all_of_it_ends_when_its_service_is_killed_and_no_other_is_started() throws Exception {
    try (var service = CommandInProcess.start(directory, directory.resolve("runs"))) {
      service.kill();
      until(() -> CommandInProcess.isAlive(service.background()), Boolean.FALSE::equals);
    }
  }

  @Test
  void a_command_that_nobody_can_keep_is_ended_at_once() throws Exception {
    Path runs = directory.resolve("runs");
    var mark = new AtomicReference<String>();
    Spec good = spec(runs, "sleep 1000 & sleep 1000");
    Running run =
        CommandRun.start(
            new Spec(
                good.commandLine(),
                good.checkout(),
                () -> mark.set(CommandInProcess.killKeeper(runs)),
                runs,
                FACTS,
                Kit.NOTHING,
                Confinement.NONE,
                good.limit(),
                good.grace(),
                1000));
    assertThat(outcome(run))
        .isEqualTo(new Outcome.CouldNotStart("The test command could not be run."));
    assertThat(MarkedProcesses.find(mark.get(), 0)).isEmpty();
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() {
    assertThat(directory.resolve("runs")).isEmptyDirectory();
  }

  private Path fifo() throws Exception {
    Path fifo = directory.resolve("ready");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    return fifo;
  }

  /** Waits until the command writes its number. */
  private static long pid(Path fifo) throws IOException {
    return Long.parseLong(Files.readString(fifo).strip());
  }
}
