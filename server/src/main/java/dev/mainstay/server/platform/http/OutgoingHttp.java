package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.OpenNetworks;
import dev.mainstay.server.platform.Tracing;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderNames;
import io.helidon.webclient.api.DnsAddressLookup;
import io.helidon.webclient.api.HttpClientResponse;
import io.helidon.webclient.api.Proxy;
import io.helidon.webclient.api.WebClient;
import io.helidon.webclient.spi.DnsResolver;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Requests to addresses that others named. Each connection goes to the very address that was
 * checked against the open networks; no redirect is followed; an answer has a time and a size.
 */
public final class OutgoingHttp implements AutoCloseable {
  public static final Duration LONGEST = Duration.ofSeconds(15);
  private static final int MOST_BYTES = 64 << 10;
  private static final int LONGEST_WORDS = 200;
  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  private final OpenNetworks networks;
  private final Duration longest;
  private final WebClient client;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** An answer as far as it was read, as text whatever it is. */
  public record Answer(int status, Optional<String> retryAfter, String body) {}

  /** The request came to no answer; the message says why in a sentence. */
  public static final class NoAnswer extends Exception {
    private static final long serialVersionUID = 1L;

    NoAnswer(String sentence) {
      super(sentence);
    }

    public String sentence() {
      return String.valueOf(getMessage());
    }
  }

  /** An address that is not asked. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String sentence) {
      super(sentence);
    }
  }

  public OutgoingHttp(OpenNetworks networks) {
    this(networks, LONGEST);
  }

  /** {@code longest} is the time that a request may take, from its first byte to its last. */
  public OutgoingHttp(OpenNetworks networks, Duration longest) {
    this.networks = networks;
    this.longest = longest;
    this.client =
        WebClient.builder()
            .dnsResolver(new Guard(networks))
            .followRedirects(false)
            .proxy(Proxy.noProxy())
            .connectTimeout(longest)
            .readTimeout(longest)
            // One that the other side has closed meanwhile would cost the next event an attempt.
            .keepAlive(false)
            .sendExpectContinue(false)
            .shareConnectionCache(false)
            .servicesDiscoverServices(false)
            .build();
  }

  /** Asked for names and for literal addresses; what it returns is connected to. */
  private record Guard(OpenNetworks networks) implements DnsResolver {
    @Override
    public InetAddress resolveAddress(String host, DnsAddressLookup lookup) {
      OpenNetworks.Found found = networks.look(host, OptionalInt.empty());
      found.fault().ifPresent(Guard::refuse);
      if (found.addresses().isEmpty()) {
        throw new Refused("The name %s is not known here.".formatted(host));
      }
      return named(host, found.addresses().getFirst());
    }

    /** The address under the very name that was asked for: certificates are held against it. */
    private static InetAddress named(String host, InetAddress address) {
      try {
        return InetAddress.getByAddress(host, address.getAddress());
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void refuse(String sentence) {
      throw new Refused(sentence);
    }
  }

  /** Why an address is not asked as things are now. A name that nobody knows is no fault. */
  public Optional<String> fault(URI uri) {
    int usual = "https".equalsIgnoreCase(uri.getScheme()) ? HTTPS : HTTP;
    int port = uri.getPort() < 0 ? usual : uri.getPort();
    return networks.look(uri.getHost(), OptionalInt.of(port)).fault();
  }

  public Answer post(URI uri, Map<String, String> headers, byte[] body) throws NoAnswer {
    Optional<String> fault = fault(uri);
    if (fault.isPresent()) {
      throw new NoAnswer(fault.get());
    }
    Future<Answer> answer = threads.submit(() -> exchange(uri, headers, body));
    try {
      return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new NoAnswer(tooLong());
    } catch (ExecutionException e) {
      throw new NoAnswer(sentence(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswer("The request was broken off: this node stops.");
    } finally {
      answer.cancel(true);
    }
  }

  private Answer exchange(URI uri, Map<String, String> headers, byte[] body) throws IOException {
    var request = client.post().uri(uri);
    headers.forEach((name, value) -> request.header(HeaderNames.create(name), value));
    try (var spent = Tracing.asking("POST " + uri.getHost());
        HttpClientResponse response = request.submit(body)) {
      spent
          .with("http.request.method", "POST")
          .with("server.address", uri.getHost())
          .with("http.response.status_code", response.status().code());
      Optional<String> retryAfter = response.headers().first(HeaderNames.create("Retry-After"));
      byte[] read = new byte[0];
      if (response.entity().hasEntity()) {
        try (InputStream in = response.inputStream()) {
          read = in.readNBytes(MOST_BYTES);
        }
      }
      return new Answer(
          response.status().code(), retryAfter, new String(read, StandardCharsets.UTF_8));
    }
  }

  private String tooLong() {
    return "No answer within %d seconds.".formatted(longest.toSeconds());
  }

  private String sentence(Throwable fault) {
    Throwable last = fault;
    String beginning = "No answer";
    for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
      if (cause instanceof Refused) {
        return String.valueOf(cause.getMessage());
      }
      if (cause instanceof SocketTimeoutException) {
        return tooLong();
      }
      if (cause instanceof DataReader.InsufficientDataAvailableException) {
        return "The connection was closed before an answer came.";
      }
      if (cause instanceof GeneralSecurityException) {
        beginning = "The certificate of the endpoint is not trusted here";
      } else if (cause instanceof SSLException) {
        beginning = "No secure connection";
      }
      last = cause;
    }
    String words = Objects.requireNonNullElse(last.getMessage(), "").lines().findFirst().orElse("");
    return "%s: %s (%s)."
        .formatted(
            beginning,
            words.length() > LONGEST_WORDS ? words.substring(0, LONGEST_WORDS) : words,
            last.getClass().getSimpleName());
  }

  @Override
  public void close() {
    threads.shutdownNow();
    client.closeResource();
  }
}
