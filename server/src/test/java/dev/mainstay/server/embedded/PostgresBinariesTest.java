package dev.mainstay.server.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresBinariesTest {
  /** Where an ELF header says for which machine it is. */
  private static final int MACHINE = 18;

  private static final Map<String, Integer> MACHINES = Map.of("amd64", 0x3e, "aarch64", 0xb7);

  @TempDir private Path directory;

  @Test
  void the_build_carries_the_postgresql_of_the_machine_it_runs_on() throws IOException {
    Path home = PostgresBinaries.unpackInto(DataDirectory.at(directory));
    try (var program = Files.newInputStream(home.resolve("bin/postgres"))) {
      var header = ByteBuffer.wrap(program.readNBytes(20)).order(ByteOrder.LITTLE_ENDIAN);
      assertThat((int) header.getShort(MACHINE))
          .isEqualTo(MACHINES.get(System.getProperty("os.arch")));
    }
  }

  @ParameterizedTest
  @CsvSource({"Linux,riscv64", "Mac OS X,ppc64", "Windows 11,amd64"})
  void a_machine_without_one_is_told_what_it_can_do(String system, String architecture) {
    var data = DataDirectory.at(directory);
    assertThatThrownBy(() -> PostgresBinaries.unpackInto(data, system, architecture))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("carries PostgreSQL for Linux on ")
        .hasMessageContaining("this machine is %s on %s", system, architecture)
        .hasMessageContaining("--database-url (MAINSTAY_DATABASE_URL)");
    assertThat(directory).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({"Linux,amd64", "Linux,aarch64", "Mac OS X,x86_64", "Mac OS X,aarch64"})
  void a_jar_of_another_machine_says_that_it_was_built_elsewhere(String system, String other) {
    assumeFalse(
        system.equals(System.getProperty("os.name"))
            && other.equals(System.getProperty("os.arch")));
    var data = DataDirectory.at(directory);
    assertThatThrownBy(() -> PostgresBinaries.unpackInto(data, system, other))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("or run a Mainstay that was built on such a machine");
  }
}
