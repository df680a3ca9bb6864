package dev.mainstay.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.server.NodeProcess;
import dev.mainstay.server.OpenDirectories;
import dev.mainstay.server.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A real HAProxy with the configuration of docs/scaling.md: what a test changes of it are addresses
 * alone. Its nodes are told to it as they come.
 */
final class Balancer implements AutoCloseable {
  private static final String BLOCK = "```haproxy\n";
  private static final int NAME = 1;
  private static final int STATUS = 17;

  private final Process process;
  private final Path socket;
  private final int port;

  private Balancer(Process process, Path socket, int port) {
    this.process = process;
    this.socket = socket;
    this.port = port;
  }

  /** Skips the test where there is no HAProxy, unless the environment requires one. */
  static Balancer start() throws IOException {
    Optional<Path> program =
        Stream.concat(
                Optional.ofNullable(System.getenv("MAINSTAY_HAPROXY")).stream(),
                Stream.of("/usr/sbin/haproxy", "/usr/local/sbin/haproxy"))
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    boolean required = System.getenv("MAINSTAY_REQUIRE_HAPROXY") != null;
    assumeTrue(
        program.isPresent() || required,
        "there is no HAProxy here: install it, or name it in MAINSTAY_HAPROXY");
    Path directory = OpenDirectories.create();
    Path socket = directory.resolve("socket");
    int port = freePort();
    Path file = directory.resolve("haproxy.cfg");
    Files.writeString(file, configuration(socket, port));
    var builder =
        new ProcessBuilder(program.orElseThrow().toString(), "-db", "-f", file.toString());
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile());
    var balancer = new Balancer(builder.start(), socket, port);
    Waiting.until(() -> Files.exists(socket) || !balancer.process.isAlive(), there -> there);
    assertThat(balancer.process.isAlive()).as(Files.readString(directory.resolve("log"))).isTrue();
    return balancer;
  }

  private static String configuration(Path socket, int port) throws IOException {
    String documented = Files.readString(Path.of("../docs/scaling.md"));
    int begin = documented.indexOf(BLOCK) + BLOCK.length();
    return documented
        .substring(begin, documented.indexOf("```", begin))
        .replaceFirst("global\n", "global\n    stats socket %s level admin\n".formatted(socket))
        .replaceFirst("bind .*", "bind 127.0.0.1:" + port)
        .replaceFirst("http-request set-header .*", "")
        .replaceAll("10\\.0\\.0\\.\\d+:8080", "127.0.0.1:9");
  }

  private static int freePort() throws IOException {
    try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return one.getLocalPort();
    }
  }

  int port() {
    return port;
  }

  /** Puts a node into a place of the configuration, and waits until it gets requests. */
  void join(String place, NodeProcess node) {
    tell("set server mainstay/%s addr 127.0.0.1 port %d".formatted(place, node.port()));
    Waiting.until(() -> status(place), status -> status.startsWith("UP"));
  }

  /** Waits until the one in this place gets no more requests. */
  void awaitGone(String place) {
    Waiting.until(() -> status(place), status -> status.startsWith("DOWN"));
  }

  private String status(String place) {
    return tell("show stat mainstay 4 -1")
        .lines()
        .map(line -> line.split(",", -1))
        .filter(line -> line.length > STATUS && line[NAME].equals(place))
        .map(line -> line[STATUS])
        .findFirst()
        .orElseThrow();
  }

  private String tell(String command) {
    try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.US_ASCII)));
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
