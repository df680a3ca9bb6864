package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands in the documents, in their order, on a served node and a git repository, by a user
 * who has nothing but {@code mainstay}, git and curl. A request that is refused fails.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class DocumentedCommandsTest {
  private static final OpenDirectory DIRECTORY = OpenDirectory.create();
  private static final int LONGEST_MINUTES = 10;
  private static ServedNode node;
  private static CommandsOfShells commands;

  @BeforeAll
  static void serve() throws Exception {
    PreparedData.copyTo(DIRECTORY.resolve("data"));
    node = new ServedNode(DIRECTORY.resolve("data"), DIRECTORY.resolve("log"), Map.of());
    assertThat(node.awaitListening()).isTrue();
    commands = new CommandsOfShells();
    program("mainstay", commands.script());
    program("curl", "PATH=${PATH#*:}; exec curl --fail-with-body \"$@\"");
  }

  @AfterAll
  static void stop() {
    commands.close();
    node.close();
    DIRECTORY.close();
  }

  static List<Path> documents() {
    return DocumentBlock.documents().stream()
        .filter(document -> DocumentBlock.of(document).stream().anyMatch(Shop::isRun))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("documents")
  @Timeout(value = LONGEST_MINUTES, unit = TimeUnit.MINUTES)
  void every_command_of_a_document_works(Path document) throws Exception {
    String name =
        document.getFileName().toString().replaceAll("\\W|md$", "").toLowerCase(Locale.ROOT);
    Path place = Files.createDirectory(DIRECTORY.resolve(name));
    var script = new StringBuilder(Shop.PREPARATION);
    for (DocumentBlock block : DocumentBlock.of(document)) {
      if (Shop.isRun(block)) {
        script.append("echo '== %s'\n".formatted(block.place()));
        block.before().forEach(line -> script.append(line).append("\n"));
        script.append(block.text()).append("\n");
      }
    }
    Path file = Files.writeString(place.resolve("script"), here(script.toString(), place, name));
    run(file, place);
  }

  /** The text with the addresses and places of this test. */
  private static String here(String text, Path place, String name) {
    URI url = URI.create(node.url().replace("localhost", "127.0.0.1"));
    return text.replace("./mainstay ", "mainstay ")
        .replace("http://localhost:8080", url.toString())
        .replace("https://mainstay.example.com", url.toString())
        .replace("localhost:8080", url.getAuthority())
        .replace("/srv/", place + "/srv/")
        .replace("acme", "acme" + name);
  }

  private static void run(Path script, Path place) throws Exception {
    Path output = place.resolve("output");
    var builder =
        new ProcessBuilder("bash", "-eu", script.toString())
            .directory(place.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH", DIRECTORY.resolve("bin") + ":" + System.getenv("PATH"),
                "HOME", Files.createDirectory(place.resolve("home")).toString(),
                "MAINSTAY_DATA_DIR", DIRECTORY.resolve("data").toString(),
                "MAINSTAY_URL", node.url(),
                "MAINSTAY_API_TOKEN", node.shownKey().orElseThrow(),
                "KEY", node.shownKey().orElseThrow()));
    var process = builder.start();
    boolean ended = process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES);
    process.destroyForcibly();
    assertThat(ended).as(Files.readString(output)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
  }

  @Test
  void what_cannot_be_run_here_says_why() {
    assertThat(DocumentBlock.in("sh").stream().filter(block -> block.notRun().isPresent()))
        .extracting(block -> block.place().replaceAll(":.*", "") + ": " + block.notRun().get())
        .containsExactly(
            "README.md: .ci/run runs both",
            "README.md: needs a Maven project; docs/ci.md runs another",
            "docs/experiment.md: takes minutes",
            "docs/experiment.md: takes minutes",
            "docs/experiment.md: takes minutes",
            "docs/gitea.md: needs a Gitea",
            "docs/gitea.md: needs a Gitea",
            "docs/github.md: needs a GitHub",
            "docs/github.md: needs a GitHub",
            "docs/github.md: needs a GitHub",
            "docs/gitlab.md: needs a GitLab",
            "docs/gitlab.md: needs a GitLab",
            "docs/gitlab.md: needs a GitLab",
            "docs/merge-queue.md: needs Bazel",
            "docs/monitoring.md: needs Prometheus",
            "docs/monitoring.md: needs a collector",
            "docs/operations.md: needs a release; .ci/packages installs one",
            "docs/operations.md: the service is stopped first; BackupTest does it",
            "docs/operations.md: needs a Mainstay with a newer PostgreSQL",
            "docs/operations.md: what it finds is of this machine; DoctorTest runs it",
            "docs/scaling.md: needs a cluster; DistributionTest does it where there is one",
            "docs/settings-cost.md: the same command with other variants",
            "docs/settings-cost.md: takes a minute",
            "docs/simulation.md: takes minutes; SimulationCheckTest runs fewer seeds");
  }

  private static void program(String name, String script) throws IOException {
    Path file = DIRECTORY.resolve("bin").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** The repository that the documents speak of: acme/shop, with a pull request 7. */
  private static final class Shop {
    static final String PREPARATION =
        """
        git config --global user.name Ann
        git config --global user.email ann@example.org
        git config --global init.defaultBranch main
        git init -q --bare /srv/git/shop.git
        git config --global url."/srv/git/shop.git".pushInsteadOf ssh://git@git.example/acme/shop.git
        git init -q shop
        cd shop
        git remote add origin ssh://git@git.example/acme/shop.git
        printf '#!/bin/sh\\necho "<testsuite><testcase name=\\\\"adds\\\\"/></testsuite>" >junit.xml\\n' >run-tests
        chmod +x run-tests
        git add run-tests
        git commit -qm 'Add tests'
        git push -q origin main
        git checkout -qb carts
        echo carts >carts
        git add carts
        git commit -qm 'Add carts'
        git push -q origin HEAD:refs/pull/7/head
        """;

    private Shop() {}

    static boolean isRun(DocumentBlock block) {
      return block.language().equals("sh") && block.notRun().isEmpty();
    }
  }
}
