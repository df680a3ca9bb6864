package dev.mainstay.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.OpenDirectory;
import dev.mainstay.cli.PreparedData;
import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on a database that is not there: only {@code serve} and {@code demo} make one. */
class NoDatabaseTest {
  private static final String REPO = "git.example.org/team/app";

  private final OpenDirectory directory = OpenDirectory.create();
  private final Path data = directory.resolve("data");

  @AfterEach
  void deleteDirectory() {
    directory.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "keys create --name ci",
        "keys list",
        "org create acme",
        "org list",
        "repo show " + REPO,
        "repo connect " + REPO + " /tmp/app.git",
        "queue replay " + REPO + " main"
      })
  void a_forgotten_data_directory_is_told_and_not_made(String command) {
    var ran = run(Map.of("MAINSTAY_DATA_DIR", data.toString()), command);
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err().lines()).hasSize(1);
    assertThat(ran.err())
        .contains("no Mainstay at " + data)
        .contains("--data-dir (MAINSTAY_DATA_DIR)")
        .contains("--database-url (MAINSTAY_DATABASE_URL)")
        .contains("mainstay serve");
    assertThat(data).doesNotExist();
  }

  @Test
  void a_foreign_database_stays_as_it_is() {
    PreparedData.copyTo(data);
    try (var postgres = EmbeddedPostgres.tryStart(DataDirectory.at(data), () -> {}).orElseThrow()) {
      var address = postgres.address();
      String url =
          address
              .jdbcUrl()
              .replace("jdbc:postgresql://", "postgresql://mainstay:" + address.password() + "@");
      for (int time = 0; time < 2; time++) {
        var ran = run(Map.of("MAINSTAY_DATABASE_URL", url), "org list");
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err())
            .contains("no Mainstay at " + address.jdbcUrl())
            .doesNotContain(address.password());
      }
    }
  }

  private Cli.Ran run(Map<String, String> variables, String command) {
    return Cli.in(directory.path()).with(variables).run(command);
  }
}
