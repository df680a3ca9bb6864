package dev.mainstay.cli.github;

import static java.nio.file.attribute.PosixFilePermissions.fromString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** An App by one button, from the page to the folder. */
class GitHubSetupCommandTest extends SetupScene {
  @Test
  void the_page_proposes_an_app_with_what_it_needs_and_no_more() throws Exception {
    var command = start("--org", "acme", "--name", "Our \"<Mainstay>\" & 'co'");
    var browser = new SetupBrowser(command.awaitSeen());
    assertThat(browser.open().text())
        .contains("Content-security-policy: default-src 'none'", "Cache-control: no-store")
        .doesNotContain("<Mainstay>");
    assertThat(browser.target().toString())
        .matches(github.address() + "/organizations/acme/settings/apps/new\\?state=[0-9a-f]{48}");
    JsonNode manifest = browser.manifest();
    assertThat(manifest.path("name").asString()).isEqualTo("Our \"<Mainstay>\" & 'co'");
    assertThat(manifest.path("url").asString()).isEqualTo(URL);
    assertThat(manifest.path("hook_attributes").toString())
        .isEqualTo("{\"url\":\"%s/hooks/github\",\"active\":true}".formatted(URL));
    assertThat(manifest.path("redirect_url").asString())
        .isEqualTo("http://%s/made".formatted(browser.address().getAuthority()));
    assertThat(manifest.path("public").asBoolean(true)).isFalse();
    assertThat(manifest.path("default_permissions").toString())
        .isEqualTo(
            "{'actions':'write','checks':'write','contents':'write','issues':'write','pull_requests':'write','workflows':'write','metadata':'read','statuses':'read'}"
                .replace('\'', '"'));
    assertThat(manifest.path("default_events").valueStream().map(JsonNode::asString))
        .containsExactlyInAnyOrder(
            "pull_request",
            "pull_request_review",
            "pull_request_review_thread",
            "issue_comment",
            "check_run",
            "check_suite",
            "status",
            "push",
            "delete",
            "repository",
            "workflow_run");
    browser.comeBack(CODE);
    assertThat(command.end().exitCode()).isZero();
  }

  @Test
  void an_app_is_stored_for_its_owner_alone_and_the_next_steps_are_told() throws Exception {
    var command = start();
    var browser = new SetupBrowser(command.awaitSeen());
    assertThat(browser.target().getPath()).isEqualTo("/settings/apps/new");
    assertThat(browser.manifest().path("name").asString())
        .isEqualTo("Mainstay mainstay.example.com");
    var shown = browser.comeBack(CODE);
    assertThat(shown.status()).isEqualTo(200);
    assertThat(shown.text())
        .contains("The App mainstay-acme is made")
        .contains(github.address() + "/github-apps/mainstay-acme/installations/new")
        .doesNotContain(AppsOfGitHub.SECRET)
        .doesNotContain("PRIVATE KEY");
    var ran = command.end();
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(github.requests())
        .containsExactly("POST /api/v3/app-manifests/%s/conversions".formatted(CODE));
    assertThat(files())
        .containsExactly(
            "github-app-mainstay-acme",
            "github-app-mainstay-acme/hook-secret",
            "github-app-mainstay-acme/id",
            "github-app-mainstay-acme/private-key.pem");
    Path folder = directory.resolve("github-app-mainstay-acme");
    assertThat(Files.getPosixFilePermissions(folder)).isEqualTo(fromString("rwx------"));
    assertThat(files().stream().skip(1).map(directory::resolve))
        .allSatisfy(
            file ->
                assertThat(Files.getPosixFilePermissions(file)).isEqualTo(fromString("rw-------")));
    assertThat(folder.resolve("id")).hasContent("4711");
    assertThat(folder.resolve("hook-secret")).hasContent(AppsOfGitHub.SECRET);
    assertThat(folder.resolve("private-key.pem")).hasContent(AppsOfGitHub.KEY);
    assertThat(ran.out())
        .contains(github.address() + "/github-apps/mainstay-acme/installations/new")
        .contains(
            ("mainstay repo connect %s/OWNER/NAME --app-id 4711 --app-key-file"
                    + " github-app-mainstay-acme/private-key.pem --hook-secret-file"
                    + " github-app-mainstay-acme/hook-secret\n")
                .formatted(github.address()));
    assertNoSecret(ran);
  }

  @Test
  void as_json_it_is_one_object_and_the_address_is_on_stderr() throws Exception {
    github.app().putNull("webhook_secret");
    var command = start("--json", "--out", "its own");
    new SetupBrowser(command.awaitSeen()).comeBack(CODE);
    var ran = command.end();
    assertThat(ran.err()).startsWith("Open http://127.0.0.1:").contains("ssh -L ");
    assertThat(Json.readObject(ran.out().getBytes(StandardCharsets.UTF_8)).toString())
        .isEqualTo(
            ("{'id':4711,'slug':'mainstay-acme','page':'GITHUB/github-apps/mainstay-acme',"
                    + "'installation':'GITHUB/github-apps/mainstay-acme/installations/new',"
                    + "'folder':'its own','appKeyFile':'its own/private-key.pem'}")
                .replace('\'', '"')
                .replace("GITHUB", github.address()));
    assertThat(files()).containsExactly("its own", "its own/id", "its own/private-key.pem");
    assertNoSecret(ran);
  }

  @Test
  void nothing_is_overwritten() throws Exception {
    Path before = Files.createDirectory(directory.resolve("github-app-mainstay-acme"));
    var named = Cli.in(directory).run("github setup --url " + URL + " --out " + before);
    assertThat(named.exitCode()).isEqualTo(2);
    assertThat(named.err()).contains("exists already");
    assertThat(Cli.in(directory).run("github setup --out no/where --url " + URL).err())
        .contains("No folder can be made in");
    // GitHub hands out a key once, so one of an App whose folder is taken goes beside it.
    var command = start();
    new SetupBrowser(command.awaitSeen()).comeBack(CODE);
    assertThat(command.end().out()).contains("github-app-mainstay-acme-4711/private-key.pem");
    assertThat(before).isEmptyDirectory();
  }

  @Test
  void a_folder_that_came_meanwhile_is_kept_and_the_lost_key_is_told() throws Exception {
    var command = start("--out", "mine");
    var browser = new SetupBrowser(command.awaitSeen());
    Path mine = Files.createDirectory(directory.resolve("mine"));
    assertThat(browser.comeBack(CODE).text()).contains("its key could not be stored");
    var ran = command.end();
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("Delete the App at " + github.address() + "/settings/apps/");
    assertNoSecret(ran);
    assertThat(mine).isEmptyDirectory();
  }

  @Test
  void who_never_comes_back_is_not_waited_for_any_longer() throws IOException {
    var quiet = new PrintWriter(Writer.nullWriter());
    var shell = new Shell(Map.of(), directory, InputStream.nullInputStream(), quiet, quiet, false);
    var command =
        CommandLine.populateCommand(
            new GitHubSetup(shell, Duration.ZERO), "--url", URL, "--patience", "3");
    assertThatThrownBy(command::run)
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("within 3 minutes, and nothing was stored");
    assertThat(files()).isEmpty();
  }
}
