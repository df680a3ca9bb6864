package dev.mainstay.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A browser that follows a page: it holds a stream open, and reads the page again on a connection
 * of its own whenever it is told to.
 */
public final class PageViewer implements AutoCloseable {
  private final Socket stream;
  private final Socket pages;
  private final byte[] request;
  private final Runnable onRead;

  public PageViewer(int port, String cookie, String path, String live, Runnable onRead)
      throws IOException {
    this.onRead = onRead;
    this.request = request(path, port, cookie).getBytes(StandardCharsets.US_ASCII);
    this.stream = new Socket(InetAddress.getLoopbackAddress(), port);
    this.pages = new Socket(InetAddress.getLoopbackAddress(), port);
    pages.setTcpNoDelay(true);
    stream.getOutputStream().write(request(live, port, cookie).getBytes(StandardCharsets.US_ASCII));
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
      var answer = new Load.Answer(pages.getInputStream());
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("event: changed")) {
          pages.getOutputStream().write(request);
          answer.read();
          onRead.run();
        }
      }
    } catch (IOException e) {
      // It was closed, or the server was: whoever waits for it finds out.
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
    pages.close();
  }
}
