package dev.mainstay.server.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.server.Waiting;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the database driver relies on in a socket. */
class UnixSocketTest {
  @TempDir private Path directory;
  private ServerSocketChannel listener;
  private Socket socket;
  private SocketChannel peer;

  @BeforeEach
  void connect() throws IOException {
    Path path = directory.resolve("socket");
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(path));
    socket = new UnixSocketFactory(path.toString()).createSocket("anywhere", 1);
    peer = listener.accept();
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
    peer.close();
    listener.close();
  }

  @Test
  void a_read_that_was_in_vain_leaves_the_connection_whole() throws IOException {
    for (int time = 0; time < 3; time++) {
      socket.setSoTimeout(1);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      socket.setSoTimeout(time * 10_000);
      peer.write(ByteBuffer.wrap(new byte[] {(byte) 200}));
      assertThat(socket.getInputStream().read()).isEqualTo(200);
    }
    socket.setSoTimeout(10_000);
    peer.close();
    assertThat(socket.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void much_goes_both_ways_at_once_and_stays_what_it_was() throws Exception {
    byte[] much = new byte[3_000_001];
    new Random(18).nextBytes(much);
    var there =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                byte[] read = Channels.newInputStream(peer).readNBytes(much.length);
                Channels.newOutputStream(peer).write(read);
                return read;
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    socket.getOutputStream().write(much);
    assertThat(socket.getInputStream().readNBytes(much.length)).isEqualTo(much);
    assertThat(there.get()).isEqualTo(much);
  }

  @ParameterizedTest
  @CsvSource({"true, 0", "true, 600000", "false, 0", "false, 600000"})
  void whoever_waits_is_told_when_another_closes_it(boolean virtual, int timeout) throws Exception {
    socket.setSoTimeout(timeout);
    var told = new CompletableFuture<Throwable>();
    Runnable reading =
        () -> {
          try {
            told.completeExceptionally(
                new AssertionError("read " + socket.getInputStream().read()));
          } catch (IOException e) {
            told.complete(e);
          }
        };
    Thread reader =
        virtual ? Thread.ofVirtual().start(reading) : Thread.ofPlatform().start(reading);
    Waiting.until(() -> isWaiting(reader), Boolean.TRUE::equals);
    socket.close();
    assertThat(told.get(1, TimeUnit.MINUTES)).isInstanceOf(IOException.class);
    assertThat(socket.isClosed()).isTrue();
    assertThatThrownBy(() -> socket.getOutputStream().write(1)).isInstanceOf(IOException.class);
  }

  /** In the read itself: a platform thread counts as running there. */
  private static boolean isWaiting(Thread reader) {
    for (StackTraceElement frame : reader.getStackTrace()) {
      String method = frame.getMethodName();
      if (method.startsWith("park") || method.equals("read0") || method.equals("wait")) {
        return true;
      }
    }
    return false;
  }
}
