package dev.mainstay.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.SharedNode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrgCommandTest {
  private final Cli cli =
      Cli.in(Path.of("/")).with(Map.of("MAINSTAY_DATA_DIR", SharedNode.data().toString()));

  @Test
  void an_organization_is_made_once_and_renamed() {
    assertThat(cli.run("org create renamed").exitCode()).isZero();
    assertThat(cli.run("org create renamed").err()).contains("already");
    assertThat(cli.run("org create sign-in").err()).contains("v1, trunk, hooks, docs");
    assertThat(cli.run("org set renamed --name", "Acme Inc.").exitCode()).isZero();
    assertThat(cli.run("org list").out()).containsPattern("renamed +Acme Inc\\.");
    assertThat(cli.run("org list --json").out())
        .startsWith("{\"organizations\":[{\"slug\":")
        .contains("{\"slug\":\"renamed\",\"name\":\"Acme Inc.\",\"createdAt\":\"2");
  }

  @Test
  void programs_read_keys_as_the_api_gives_them() {
    assertThat(cli.run("org create keyed --json").out()).isEqualTo("{}\n");
    var made = cli.run("keys create --org keyed --name ci --scopes upload,read --json");
    assertThat(made.err()).isEmpty();
    assertThat(made.out())
        .matches(
            "(?s)\\{\"key\":\\{\"id\":\"[-0-9a-f]{36}\",\"name\":\"ci\",\"scopes\":\\[\"read\",\"upload\"],\"createdAt\":\"[^\"]*\"},\"token\":\"mst_[^\"]*\"}\n");
    String id = made.out().replaceAll("(?s).*\"id\":\"([^\"]*)\".*", "$1");
    assertThat(cli.run("keys revoke --org keyed --json " + id).out()).isEqualTo("{}\n");
    assertThat(cli.run("keys list --org keyed --json").out())
        .startsWith("{\"keys\":[{\"id\":\"" + id + "\"")
        .contains("\"revokedAt\":");
  }

  @Test
  void an_organization_that_nobody_made_cannot_be_changed() {
    var ran = cli.run("org set nobody --name x");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("no organization");
  }
}
