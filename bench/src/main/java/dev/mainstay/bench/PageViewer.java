package dev.mainstay.bench;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/**
 * A browser that follows a page: it holds a stream open, and reads the page again on a connection
 * of its own whenever it is told to.
 */
public final class PageViewer implements AutoCloseable {
  private final int port;
  private final Socket stream;
  private final byte[] request;
  private final Runnable onRead;
  private volatile Socket pages;
  private Load.Answer answer;

  public PageViewer(int port, String cookie, String path, String live, Runnable onRead)
      throws IOException {
    this.port = port;
    this.onRead = onRead;
    this.request = request(path, port, cookie).getBytes(StandardCharsets.US_ASCII);
    this.stream = new Socket(InetAddress.getLoopbackAddress(), port);
    this.pages = connection(port);
    this.answer = new Load.Answer(pages.getInputStream());
    stream.getOutputStream().write(request(live, port, cookie).getBytes(StandardCharsets.US_ASCII));
  }

  private static Socket connection(int port) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** A page as browsers ask for it; the port is part of the cookie's name. */
  static String request(String path, int port, String cookie) {
    return "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: %s\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n"
        .formatted(path, port, cookie);
  }

  /** Follows until it is closed; the server says each time when to look. */
  public void follow() {
    try (var lines =
        new BufferedReader(
            new InputStreamReader(stream.getInputStream(), StandardCharsets.US_ASCII), 512)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("event: changed")) {
          look();
          onRead.run();
        }
      }
    } catch (IOException e) {
      // It was closed, or the server was: whoever waits for it finds out.
    }
  }

  /** Asks again on a new connection where the server has closed the silent one, as browsers do. */
  private void look() throws IOException {
    try {
      ask();
    } catch (EOFException | SocketException e) {
      if (stream.isClosed()) {
        throw e;
      }
      pages.close();
      pages = connection(port);
      answer = new Load.Answer(pages.getInputStream());
      ask();
    }
  }

  private void ask() throws IOException {
    pages.getOutputStream().write(request);
    answer.read();
  }

  @Override
  public void close() throws IOException {
    stream.close();
    pages.close();
  }
}
