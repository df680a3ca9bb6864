package dev.mainstay.server;

import dev.mainstay.server.embedded.UnixSocketFactory;
import dev.mainstay.server.platform.Database;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.Driver;

/**
 * Stands between a node and its database. Cutting all connections looks to the database just as if
 * the node had been killed at that moment.
 */
public final class TcpProxy implements Closeable {
  private final ServerSocket listener;
  private final Properties target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger left;
  private final AtomicInteger passed = new AtomicInteger();
  private volatile boolean down;

  /** Lets this many messages of the client pass, then cuts everything for good. */
  public TcpProxy(Database.Address address, int messages) {
    this.target = Objects.requireNonNull(Driver.parseURL(address.jdbcUrl(), null));
    this.left = new AtomicInteger(messages);
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** The database's address, through here. */
  public Database.Address through(Database.Address address) {
    return new Database.Address(
        "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port(), target.getProperty("PGDBNAME")),
        address.user(),
        address.password());
  }

  /** The port of 127.0.0.1 that it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  int passed() {
    return passed.get();
  }

  void cut() {
    down = true;
    sockets.forEach(TcpProxy::close);
  }

  void restore() {
    down = false;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (down) {
          close(client);
          continue;
        }
        Socket server = database();
        sockets.add(client);
        sockets.add(server);
        if (down) {
          cut();
        }
        Thread.ofVirtual().start(() -> copy(client, server, true));
        Thread.ofVirtual().start(() -> copy(server, client, false));
      } catch (IOException e) {
        // Closed.
      }
    }
  }

  private Socket database() throws IOException {
    String path = target.getProperty("socketFactoryArg");
    return new UnixSocketFactory(path).createSocket(target.getProperty("PGHOST"), 0);
  }

  private void copy(Socket from, Socket to, boolean counted) {
    byte[] buffer = new byte[64 * 1024];
    try {
      for (int n = from.getInputStream().read(buffer);
          n >= 0;
          n = from.getInputStream().read(buffer)) {
        if (counted && left.decrementAndGet() < 0) {
          cut();
          return;
        }
        if (counted) {
          passed.incrementAndGet();
        }
        to.getOutputStream().write(buffer, 0, n);
      }
    } catch (IOException e) {
      // One side is gone.
    } finally {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
