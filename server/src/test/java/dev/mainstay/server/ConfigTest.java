package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mainstay.server.Config.Setting;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigTest {
  @Test
  void nothing_needs_to_be_set() {
    Config config = Config.read(Map.of(), Map.of());
    assertThat(config.port()).isEqualTo(8080);
    assertThat(config.publicUrl()).isEqualTo(URI.create("http://localhost:8080"));
    assertThat(config.externalDatabase()).isEmpty();
    assertThat(config.firstOrganization()).isEqualTo("default");
  }

  @Test
  void an_option_wins_over_a_variable_and_an_empty_variable_counts_as_unset() {
    var environment =
        Map.of("MAINSTAY_PORT", "9000", "MAINSTAY_DATA_DIR", "/data", "MAINSTAY_ORG", "");
    Config config = Config.read(Map.of(Setting.PORT, "9001"), environment);
    assertThat(config.port()).isEqualTo(9001);
    assertThat(config.dataDirectory()).isEqualTo(Path.of("/data"));
    assertThat(config.firstOrganization()).isEqualTo("default");
  }

  @Test
  void all_faults_are_told_at_once_by_the_name_they_were_given_by() {
    var environment =
        Map.of(
            "MAINSTAY_PORT", "tcp://10.0.0.1:80",
            "MAINSTAY_DATABASE_URL", "mysql://x/y",
            "MAINSTAY_TOKEN", "short",
            "MAINSTAY_ORG", "Not A Slug");
    var options =
        Map.of(
            Setting.LOG_FORMAT, "xml",
            Setting.LOG_LEVEL, "loud",
            Setting.PUBLIC_URL, "ftp://x",
            Setting.HOST, "a b",
            Setting.MAX_CONNECTIONS, "0",
            Setting.TRUSTED_PROXIES, "10.0.0.0/33",
            Setting.SHUTDOWN_GRACE, "-1",
            Setting.SHUTDOWN_DELAY, "3601",
            Setting.TEST_SANDBOX, "docker",
            Setting.DATABASE_CONNECTIONS, "many");
    var invalid =
        catchThrowableOfType(Config.Invalid.class, () -> Config.read(options, environment));
    assertThat(invalid.faults())
        .hasSize(14)
        .anyMatch(f -> f.startsWith("MAINSTAY_PORT must be a whole number from 0 to 65535"))
        .anyMatch(f -> f.startsWith("--log-format must be text or json"))
        .anyMatch(f -> f.startsWith("--test-sandbox must be none, bubblewrap or auto"))
        .noneMatch(f -> f.contains("short"));
  }

  @Test
  void an_identity_provider_is_set_up_as_a_whole_or_what_is_missing_is_named() {
    var environment = new HashMap<String, String>();
    environment.put("MAINSTAY_OIDC_ISSUER", "https://id.example/team");
    environment.put("MAINSTAY_ORG", "acme");
    assertThatThrownBy(() -> Config.read(Map.of(), environment))
        .isInstanceOf(Config.Invalid.class)
        .hasMessage(
            """
            MAINSTAY_OIDC_CLIENT_ID is missing: signing in at an identity provider needs it.
            MAINSTAY_OIDC_CLIENT_SECRET_FILE is missing: signing in at an identity provider needs it.
            MAINSTAY_OIDC_ROLES is missing: signing in at an identity provider needs it.""");
    environment.put("MAINSTAY_OIDC_CLIENT_ID", "mainstay");
    environment.put("MAINSTAY_OIDC_CLIENT_SECRET_FILE", "/run/secrets/oidc");
    environment.put("MAINSTAY_OIDC_ROLES", "admin=ops,member=eng,viewer=*");
    var oidc = Config.read(Map.of(), environment).oidc().orElseThrow();
    assertThat(oidc.organization()).isEqualTo("acme");
    assertThat(oidc.roles().claim()).isEqualTo("groups");
    assertThat(oidc.roles().rules()).hasSize(3);
    for (String issuer :
        List.of("http://id.example", "https://u@id.example", "https://id.example?x", "id")) {
      environment.put("MAINSTAY_OIDC_ISSUER", issuer);
      assertThatThrownBy(() -> Config.read(Map.of(), environment))
          .as(issuer)
          .hasMessage(
              "MAINSTAY_OIDC_ISSUER must be an https address without a query; http only on this machine.");
    }
    environment.put("MAINSTAY_OIDC_ISSUER", "http://localhost:9000");
    environment.put("MAINSTAY_OIDC_ROLES", "boss=ops");
    assertThatThrownBy(() -> Config.read(Map.of(), environment))
        .hasMessageStartingWith("MAINSTAY_OIDC_ROLES must be rules such as admin=ops");
  }

  @Test
  void of_several_database_hosts_the_one_that_takes_changes_is_asked_for() {
    assertThat(databaseUrl("postgresql://u:p@a,b:5433,[::1]/x"))
        .isEqualTo("jdbc:postgresql://a:5432,b:5433,[::1]:5432/x?targetServerType=primary");
    assertThat(databaseUrl("postgresql://u:p@a,b/x?ssl=true"))
        .isEqualTo("jdbc:postgresql://a:5432,b:5432/x?ssl=true&targetServerType=primary");
    assertThat(databaseUrl("postgresql://a,b/x?targetServerType=any"))
        .isEqualTo("jdbc:postgresql://a:5432,b:5432/x?targetServerType=any");
    for (String wrong : List.of("postgresql://a,/x", "postgresql://,b/x", "postgresql://a:x,b/x")) {
      assertThatThrownBy(() -> databaseUrl(wrong))
          .isInstanceOf(Config.Invalid.class)
          .hasMessageContaining("--database-url must be a PostgreSQL address");
    }
  }

  private static String databaseUrl(String given) {
    return Config.read(Map.of(Setting.DATABASE_URL, given), Map.of())
        .externalDatabase()
        .orElseThrow()
        .jdbcUrl();
  }

  @Test
  void proxies_are_addresses_or_networks() {
    for (String wrong : List.of("proxy.example", "10.0.0.0/x", "10.0.0.0/-1", "::1/129", "1,,2")) {
      assertThatThrownBy(() -> Config.read(Map.of(Setting.TRUSTED_PROXIES, wrong), Map.of()))
          .as(wrong)
          .isInstanceOf(Config.Invalid.class)
          .hasMessageContaining("--trusted-proxies must be addresses or networks");
    }
    var environment = Map.of("MAINSTAY_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8,2001:db8::/32");
    assertThat(Config.read(Map.of(), environment).trustedProxies()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql://u:s3cr3t@db:5433/x, jdbc:postgresql://db:5433/x, s3cr3t",
    "postgres://u:s3cr3t@db/x?ssl=true, jdbc:postgresql://db:5432/x?ssl=true, s3cr3t",
    "jdbc:postgresql://u:s3%40%2B+@db/x, jdbc:postgresql://db:5432/x, s3@++"
  })
  void a_database_address_is_read_in_all_its_usual_forms(
      String given, String url, String password) {
    var address =
        Config.read(Map.of(Setting.DATABASE_URL, given), Map.of()).externalDatabase().orElseThrow();
    assertThat(address.jdbcUrl()).isEqualTo(url);
    assertThat(address.user()).isEqualTo("u");
    assertThat(address.password()).isEqualTo(password);
    assertThat(address.toString()).doesNotContain(password);
  }

  @Test
  void a_token_never_shows_itself() {
    String token = "a-token-chosen-by-the-operator-0123456789";
    Config config = Config.read(Map.of(), Map.of("MAINSTAY_TOKEN", token));
    assertThat(config.firstToken().map(t -> t.text())).isEqualTo(Optional.of(token));
    assertThat(config.toString()).doesNotContain(token);
  }
}
