package dev.mainstay.server.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.SocketFactory;

/** Connects the database driver, which finds it by its name, to a Unix socket. */
public final class UnixSocketFactory extends SocketFactory {
  private final UnixDomainSocketAddress address;

  /** The name that PostgreSQL gives to its socket. */
  static String fileName(int port) {
    return ".s.PGSQL." + port;
  }

  /** The address of the database whose socket is in this directory. */
  static String jdbcUrl(Path directory, int port) {
    return "jdbc:postgresql://127.0.0.1:%d/postgres?sslmode=disable&socketFactory=%s&socketFactoryArg=%s"
        .formatted(
            port,
            UnixSocketFactory.class.getName(),
            URLEncoder.encode(
                directory.resolve(fileName(port)).toString(), StandardCharsets.UTF_8));
  }

  /**
   * True where a socket can be made: its whole name has 107 bytes at most, and some file systems
   * that come from elsewhere have no sockets.
   */
  static boolean canListenIn(Path directory) throws IOException {
    Path tried = directory.resolve(fileName(0) + ".tried");
    Files.deleteIfExists(tried);
    try (var channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.bind(UnixDomainSocketAddress.of(tried));
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      Files.deleteIfExists(tried);
    }
  }

  /** To the socket at this path. */
  public UnixSocketFactory(String path) {
    this.address = UnixDomainSocketAddress.of(path);
  }

  @Override
  public Socket createSocket() throws IOException {
    return new UnixSocket(address);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    Socket socket = createSocket();
    socket.connect(address);
    return socket;
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket(host.getHostName(), port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host.getHostName(), port);
  }
}
