package dev.mainstay.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * Runs the commands of shells in this process, which is far cheaper than a JVM for each. A shell
 * sends its directory, its variables and the words of the command, and is given its output and its
 * exit code; there is no input.
 */
final class CommandsOfShells implements AutoCloseable {
  private final HttpServer http;

  CommandsOfShells() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    http.createContext("/", CommandsOfShells::answer);
    http.start();
  }

  /** What a shell runs as {@code mainstay}, given where curl is. */
  String script() {
    return """
    answer=$(mktemp -d)
    { printf '%%s\\0' "$answer" "$PWD" "$#" "$@"; env -0; } |
      PATH=${PATH#*:} curl -sSf --data-binary @- -o "$answer/code" http://127.0.0.1:%d/ || exit 99
    cat "$answer/out"
    cat "$answer/err" >&2
    code=$(cat "$answer/code")
    rm -r "$answer"
    exit "$code"
    """
        .formatted(http.getAddress().getPort());
  }

  private static void answer(HttpExchange exchange) throws IOException {
    var request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    List<String> sent = List.of(request.split("\0"));
    int variables = 3 + Integer.parseInt(sent.get(2));
    var environment = new HashMap<String, String>();
    for (String variable : sent.subList(variables, sent.size())) {
      int equals = variable.indexOf('=');
      environment.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    var ran =
        new Cli(Path.of(sent.get(1)), environment, "")
            .call(sent.subList(3, variables).toArray(String[]::new));
    Path answer = Path.of(sent.get(0));
    Files.writeString(answer.resolve("out"), ran.out());
    Files.writeString(answer.resolve("err"), ran.err());
    byte[] code = String.valueOf(ran.exitCode()).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, code.length);
    exchange.getResponseBody().write(code);
    exchange.close();
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
