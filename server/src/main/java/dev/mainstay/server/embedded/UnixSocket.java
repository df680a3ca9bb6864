package dev.mainstay.server.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketImpl;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection through a Unix socket, with as much of a {@link Socket} as the database driver asks
 * for. One thread reads and writes at a time; any may close it.
 */
final class UnixSocket extends Socket {
  /**
   * The channel keeps a buffer outside of the heap for each thread, as large as its largest use.
   */
  private static final int MOST_AT_ONCE = 64 * 1024;

  private final UnixDomainSocketAddress address;
  private final SocketChannel channel;
  private final Object closing = new Object();
  private volatile int timeoutMillis;
  private @Nullable Selector selector;

  UnixSocket(UnixDomainSocketAddress address) throws IOException {
    super((SocketImpl) null);
    this.address = address;
    this.channel = SocketChannel.open(StandardProtocolFamily.UNIX);
  }

  /** Connects to the one address it has, whatever the driver believes; that does not wait. */
  @Override
  public void connect(SocketAddress ignored, int limitMillis) throws IOException {
    channel.connect(address);
  }

  @Override
  public void connect(SocketAddress ignored) throws IOException {
    connect(ignored, 0);
  }

  @Override
  public boolean isConnected() {
    return channel.isConnected();
  }

  @Override
  public boolean isClosed() {
    return !channel.isOpen();
  }

  /** Whoever waits in a read is woken and told. */
  @Override
  public void close() throws IOException {
    channel.close();
    synchronized (closing) {
      if (selector != null) {
        selector.close();
      }
    }
  }

  @Override
  public void setSoTimeout(int millis) {
    timeoutMillis = millis;
  }

  @Override
  public int getSoTimeout() {
    return timeoutMillis;
  }

  @Override
  public int getSendBufferSize() {
    return MOST_AT_ONCE;
  }

  @Override
  public int getReceiveBufferSize() {
    return MOST_AT_ONCE;
  }

  /** There is nothing to delay. */
  @Override
  public void setTcpNoDelay(boolean on) {}

  @Override
  public boolean getTcpNoDelay() {
    return true;
  }

  /** There is no network that could lose the other side unseen. */
  @Override
  public void setKeepAlive(boolean on) {}

  @Override
  public boolean getKeepAlive() {
    return false;
  }

  @Override
  public InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        var buffer = ByteBuffer.wrap(bytes, offset, Math.min(length, MOST_AT_ONCE));
        return timeoutMillis == 0 ? channel.read(buffer) : readInTime(buffer, timeoutMillis);
      }

      @Override
      public void close() throws IOException {
        UnixSocket.this.close();
      }
    };
  }

  @Override
  public OutputStream getOutputStream() {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        int end = offset + length;
        for (int at = offset; at < end; ) {
          at += channel.write(ByteBuffer.wrap(bytes, at, Math.min(end - at, MOST_AT_ONCE)));
        }
      }

      @Override
      public void close() throws IOException {
        UnixSocket.this.close();
      }
    };
  }

  /** A read that ends in time leaves the connection as it was, whether it got something or not. */
  private int readInTime(ByteBuffer buffer, int millis) throws IOException {
    channel.configureBlocking(false);
    try {
      int read = channel.read(buffer);
      if (read == 0 && buffer.hasRemaining()) {
        awaitBytes(millis);
        read = channel.read(buffer);
        if (read == 0) {
          throw new SocketTimeoutException("no answer in " + millis + " ms");
        }
      }
      return read;
    } finally {
      if (channel.isOpen()) {
        channel.configureBlocking(true);
      }
    }
  }

  private void awaitBytes(int millis) throws IOException {
    try {
      Selector waiting = selector();
      SelectionKey key = channel.register(waiting, SelectionKey.OP_READ);
      try {
        waiting.select(millis);
      } finally {
        key.cancel();
        waiting.selectNow();
      }
    } catch (ClosedSelectorException | CancelledKeyException e) {
      var closed = new AsynchronousCloseException();
      closed.initCause(e);
      throw closed;
    }
  }

  private Selector selector() throws IOException {
    synchronized (closing) {
      if (!channel.isOpen()) {
        throw new AsynchronousCloseException();
      }
      if (selector == null) {
        selector = Selector.open();
      }
      return selector;
    }
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
