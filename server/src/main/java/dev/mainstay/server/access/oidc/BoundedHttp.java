package dev.mainstay.server.access.oidc;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPRequestSender;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPRequest;
import com.nimbusds.oauth2.sdk.http.ReadOnlyHTTPResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The way to a provider: an answer is waited for this long, from the connection to its last byte,
 * is this large at most, and leads nowhere else.
 */
final class BoundedHttp implements ResourceRetriever, HTTPRequestSender, AutoCloseable {
  static final int MOST_BYTES = 512 * 1024;

  private final Duration longest;
  private final HttpClient client;

  BoundedHttp(Duration longest) {
    this.longest = longest;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(longest)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();
  }

  /** The body of a page that must be there. */
  String get(URI uri) throws IOException {
    HttpResponse<String> answer =
        exchange(HttpRequest.newBuilder(uri).header("Accept", "application/json").GET().build());
    if (answer.statusCode() != 200) {
      throw new IOException("%s answered %d".formatted(uri, answer.statusCode()));
    }
    return answer.body();
  }

  @Override
  public Resource retrieveResource(URL url) throws IOException {
    return new Resource(get(URI.create(url.toString())), "application/json");
  }

  @Override
  public ReadOnlyHTTPResponse send(ReadOnlyHTTPRequest request) throws IOException {
    var builder = HttpRequest.newBuilder(request.getURI());
    request
        .getHeaderMap()
        .forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
    String body = Optional.ofNullable(((HTTPRequest) request).getBody()).orElse("");
    HttpResponse<String> answer =
        exchange(builder.method(request.getMethod().name(), BodyPublishers.ofString(body)).build());
    var response = new HTTPResponse(answer.statusCode());
    try {
      response.setContentType(answer.headers().firstValue("content-type").orElse("text/plain"));
    } catch (ParseException e) {
      throw new IOException("an answer has no readable content type", e);
    }
    response.setBody(answer.body());
    return response;
  }

  private HttpResponse<String> exchange(HttpRequest request) throws IOException {
    var answer =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
    try {
      return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException("no answer within " + longest, e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
