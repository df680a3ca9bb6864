package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts that come before any Java, on machines that others have. */
class LauncherTest {
  private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path directory;
  private final Map<String, String> variables = new HashMap<>();

  /** A source tree in which nothing was built, and programs that say who is asked. */
  @BeforeEach
  void makeTree() throws IOException {
    for (String script : List.of("mainstay", "mvnw", "build/find-jdk", "build/find-platform")) {
      Path copy = directory.resolve(script);
      Files.createDirectories(copy.getParent());
      Files.copy(SOURCES.resolve(script), copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
    program("mvn", "echo Maven was called; exit 1");
  }

  @ParameterizedTest
  @CsvSource({
    "Linux,x86_64,linux-amd64",
    "Linux,amd64,linux-amd64",
    "Linux,aarch64,linux-arm64v8",
    "Linux,arm64,linux-arm64v8",
    "Darwin,x86_64,darwin-amd64",
    "Mac OS X,aarch64,darwin-arm64v8"
  })
  void each_name_of_an_architecture_is_known(String system, String architecture, String platform)
      throws Exception {
    assertThat(run(0, "build/find-platform", system, architecture)).isEqualTo(platform + "\n");
  }

  @ParameterizedTest
  @CsvSource({"Linux,riscv64", "Linux,i686", "Darwin,ppc", "MINGW64_NT-10.0,x86_64"})
  void another_machine_is_told_what_works_before_anything_is_built(
      String system, String architecture) throws Exception {
    program(
        "uname", "case $1 in -s) echo %s ;; *) echo %s ;; esac".formatted(system, architecture));
    assertThat(run(1, "mainstay", "demo"))
        .startsWith(
            "Mainstay builds on Linux with glibc and on macOS, on x86-64 or ARM64, and this is ")
        .contains(system + " on " + architecture)
        .contains("--database-url")
        .doesNotContain("Maven was called");
    assertThat(directory.resolve("target")).doesNotExist();
  }

  @Test
  void a_linux_without_glibc_is_told_too() throws Exception {
    String other = System.getProperty("os.arch").equals("amd64") ? "aarch64" : "x86_64";
    program("uname", "case $1 in -s) echo Linux ;; *) echo %s ;; esac".formatted(other));
    assertThat(run(1, "mainstay", "demo"))
        .contains("Linux on %s without glibc".formatted(other))
        .doesNotContain("Maven was called");
  }

  @Test
  void a_build_that_fails_shows_its_log() throws Exception {
    assertThat(run(1, "mainstay", "demo"))
        .contains("mainstay: building", "Maven was called", "the build failed, see above");
  }

  @ParameterizedTest
  @CsvSource({
    "Linux,ID=fedora,dnf install -y java-99-openjdk-devel",
    "Linux,ID=arch,pacman -S --noconfirm jdk-openjdk",
    "Linux,ID_LIKE=debian,apt-get install -y openjdk-99-jdk-headless",
    "Linux,ID=nixos,sdk install java 99-tem",
    "Darwin,ID=none,brew install openjdk"
  })
  void without_a_jdk_the_command_that_gets_one_here_is_named(
      String system, String release, String command) throws Exception {
    replace("build/find-jdk", "required=25", "required=99");
    Path file = Files.writeString(directory.resolve("os-release"), release + "\n");
    variables.put("MAINSTAY_OS_RELEASE", file.toString());
    program("uname", "echo " + system);
    program("apt-cache", "exit 0");
    assertThat(run(1, "mainstay", "demo"))
        .contains("Mainstay needs a JDK 99 or newer: `")
        .contains(command + "` gets one.");
  }

  @Test
  void where_there_is_no_maven_a_checked_one_is_fetched_from_the_configured_repository()
      throws Exception {
    byte[] archive = madeUpMaven();
    var asked = new ArrayList<String>();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/repo/",
        exchange -> {
          asked.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(200, archive.length);
          exchange.getResponseBody().write(archive);
          exchange.close();
        });
    server.start();
    try {
      hideMaven();
      replace("mvnw", "/etc/maven/settings.xml", "/nowhere");
      assertThat(run(1, "mainstay", "demo"))
          .contains("there is no Maven: install it (`")
          .contains("MVNW_REPOURL");
      settings("http://127.0.0.1:%d/repo/".formatted(server.getAddress().getPort()));
      assertThat(run(1, "mainstay", "demo"))
          .contains("is not Maven")
          .contains("as it was released")
          .doesNotContain("made-up Maven runs");
      var sum = MessageDigest.getInstance("SHA-512").digest(archive);
      replace("mvnw", "sha512=[0-9a-f]+", "sha512=" + HexFormat.of().formatHex(sum));
      assertThat(run(1, "mainstay", "demo")).contains("the made-up Maven runs");
      assertThat(run(1, "mainstay", "demo")).contains("the made-up Maven runs");
      assertThat(asked).hasSize(2).allMatch(path -> path.matches(ARTIFACT));
    } finally {
      server.stop(0);
    }
  }

  private static final String ARTIFACT =
      "/repo/org/apache/maven/apache-maven/([0-9.]+)/apache-maven-\\1-bin.tar.gz";

  /** An archive as Apache's is, with a program that says so and fails. */
  private byte[] madeUpMaven() throws Exception {
    String name =
        "apache-maven-"
            + Files.readString(SOURCES.resolve("mvnw"))
                .replaceFirst("(?s).*\nversion=(\\S+).*", "$1");
    Path program = directory.resolve("made-up").resolve(name).resolve("bin/mvn");
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\necho the made-up Maven runs; exit 1\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path archive = directory.resolve("archive");
    var tar =
        new ProcessBuilder(
            "tar", "-czf", "" + archive, "-C", "" + directory.resolve("made-up"), name);
    assertThat(tar.inheritIO().start().waitFor()).isZero();
    return Files.readAllBytes(archive);
  }

  /** A PATH of programs that every system has, and no mvn. */
  private void hideMaven() throws IOException {
    Path bin = Files.createDirectories(directory.resolve("few"));
    for (String name : EVERYWHERE) {
      for (String place : List.of("/usr/bin/", "/bin/")) {
        if (Files.exists(Path.of(place + name)) && !Files.exists(bin.resolve(name))) {
          Files.createSymbolicLink(bin.resolve(name), Path.of(place + name));
        }
      }
    }
    variables.put("PATH", bin.toString());
    variables.put("HOME", Files.createDirectories(directory.resolve("home")).toString());
  }

  private static final List<String> EVERYWHERE =
      List.of(
          "sh awk cat cp curl cut dirname find flock grep gzip id mkdir mktemp mv readlink rm sed sha512sum sleep tar touch tr uname"
              .split(" ", -1));

  private void settings(String url) throws IOException {
    Path file = directory.resolve("home/.m2/settings.xml");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        <settings>
          <!-- <mirror><mirrorOf>*</mirrorOf><url>http://127.0.0.1:1/</url></mirror> -->
          <mirrors>
            <mirror><mirrorOf>others</mirrorOf><url>http://127.0.0.1:2/</url></mirror>
            <mirror>
              <mirrorOf>*,!ours</mirrorOf>
              <url>%s</url>
            </mirror>
          </mirrors>
        </settings>
        """
            .formatted(url));
  }

  private void replace(String script, String pattern, String text) throws IOException {
    Path file = directory.resolve(script);
    Files.writeString(file, Files.readString(file).replaceFirst(pattern, text));
  }

  private void program(String name, String script) throws IOException {
    Path file = directory.resolve("bin").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Everything that a script printed. */
  private String run(int exitCode, String script, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(directory.resolve(script).toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .merge("PATH", directory.resolve("bin").toString(), (path, ours) -> ours + ":" + path);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(variables);
    var process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isEqualTo(exitCode);
    return out;
  }
}
