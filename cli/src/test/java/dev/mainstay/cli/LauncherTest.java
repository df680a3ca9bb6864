package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts that come before any Java, on machines that others have. */
class LauncherTest {
  private static final Path SOURCES = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path directory;

  /** A source tree in which nothing was built, and programs that say who is asked. */
  @BeforeEach
  void makeTree() throws IOException {
    for (String script : List.of("mainstay", "build/find-jdk", "build/find-platform")) {
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
    "Linux,arm64,linux-arm64v8"
  })
  void each_name_of_an_architecture_is_known(String system, String architecture, String platform)
      throws Exception {
    assertThat(run(0, "build/find-platform", system, architecture)).isEqualTo(platform + "\n");
  }

  @ParameterizedTest
  @CsvSource({"Linux,riscv64", "Linux,i686", "Darwin,arm64", "MINGW64_NT-10.0,x86_64"})
  void another_machine_is_told_what_works_before_anything_is_built(
      String system, String architecture) throws Exception {
    program(
        "uname", "case $1 in -s) echo %s ;; *) echo %s ;; esac".formatted(system, architecture));
    assertThat(run(1, "mainstay", "demo"))
        .startsWith("Mainstay builds on Linux with glibc, on x86-64 or ARM64, and this is ")
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
    var process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isEqualTo(exitCode);
    return out;
  }
}
