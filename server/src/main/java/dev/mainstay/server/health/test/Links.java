package dev.mainstay.server.health.test;

import dev.mainstay.core.code.RepoName;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/** Addresses that answers point at. */
public record Links(URI publicUrl) {

  public String test(RepoView repository, UUID test) {
    return "%s/%s/%s/tests/%s"
        .formatted(publicUrl, repository.organization(), path(repository.name()), test);
  }

  /** By the organization's template; without one, the web app's own page of that ticket. */
  public String ticket(RepoView repository, String id) {
    return ticket(repository.organization(), repository.ticketUrl(), id);
  }

  public String ticket(String organization, Optional<String> ticketUrl, String id) {
    return ticketUrl
        .map(template -> template.replace("{id}", id))
        .orElseGet(() -> "%s/%s/tickets/%s".formatted(publicUrl, organization, id));
  }

  public static String repository(RepoName name) {
    return "https://" + path(name);
  }

  private static String path(RepoName name) {
    return name.host() + "/" + encoded(name.owner() + "/" + name.name());
  }

  private static String encoded(String path) {
    return Arrays.stream(path.split("/", -1))
        .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
        .collect(Collectors.joining("/"));
  }
}
