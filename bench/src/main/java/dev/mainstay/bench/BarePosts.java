package dev.mainstay.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webclient.api.WebClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Posts to addresses in turn, at a steady rate, some at once, with the library that the service
 * sends events with and nothing else. The arguments: how many a minute, how many at once, and the
 * addresses.
 */
final class BarePosts {
  /** Carries the time of the post; the system's nanoseconds are the same in all processes. */
  static final String SENT = "x-sent";

  private static final HeaderName SENT_NAME = HeaderNames.create(SENT);
  private static final Duration LONGEST = Duration.ofSeconds(15);
  private static final int BODY = 700;

  private BarePosts() {}

  public static void main(String[] args) {
    long perMinute = Long.parseLong(args[0]);
    int atOnce = Integer.parseInt(args[1]);
    List<String> addresses = List.of(args).subList(2, args.length);
    var client =
        WebClient.builder()
            .followRedirects(false)
            .connectTimeout(LONGEST)
            .readTimeout(LONGEST)
            .sendExpectContinue(false)
            .build();
    byte[] body = "{\"text\":\"%s\"}".formatted("x".repeat(BODY)).getBytes(US_ASCII);
    // The line that says where a server listens is how its process says that it has begun.
    System.out.println("it listens on no port:0");
    long begun = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long i = 0; ; i++) {
        if (i % atOnce == 0) {
          LockSupport.parkNanos(begun + i * 60_000_000_000L / perMinute - System.nanoTime());
        }
        String address = addresses.get((int) (i % addresses.size()));
        threads.execute(() -> post(client, address, body));
      }
    }
  }

  private static void post(WebClient client, String address, byte[] body) {
    try (var response =
        client
            .post(address)
            .header(SENT_NAME, String.valueOf(System.nanoTime()))
            .header(HeaderNames.CONTENT_TYPE, "application/json")
            .submit(body)) {
      response.status();
    } catch (RuntimeException e) {
      // Some of them are dead.
    }
  }
}
