package dev.mainstay.server.queue;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.command.CommandInProcess;
import dev.mainstay.server.command.Equipment;
import dev.mainstay.server.forge.Reach;
import dev.mainstay.server.platform.Database;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that was killed in the middle of a test command. */
class LeftCommandsTest {
  @TempDir private Path work;

  @Test
  void the_next_start_ends_what_it_left_and_removes_its_files() throws Exception {
    Path tests = work.resolve("tests");
    long background = CommandInProcess.leaveBehind(work, tests);
    assertThat(CommandInProcess.isAlive(background)).isTrue();
    assertThat(tests).isNotEmptyDirectory();
    try (var database = Database.connect(TestDatabase.empty(), 4)) {
      database.migrate();
      try (var queues = new MergeQueues(database, Clock.systemUTC(), work, Reach.usual())) {
        queues.start(Equipment.NONE);
        until(() -> CommandInProcess.isAlive(background), Boolean.FALSE::equals);
        assertThat(tests).isEmptyDirectory();
      }
    }
  }
}
