package dev.mainstay.server.web.page;

import dev.mainstay.server.access.ReservedSlugs;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Where the pages of an organization are. One that is called like a path of the service's own has
 * its pages aside.
 */
public record Address(String organization) {
  /** A text as a part of an address. */
  public static String encoded(String text) {
    return isPlain(text, false) ? text : encodedByRule(text);
  }

  private static String encodedByRule(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  public String repository(Repo repo) {
    return base() + "/" + path(repo);
  }

  public String queue(Repo repo, String branch) {
    return repository(repo) + "/queues/" + encoded(branch);
  }

  public String health(Repo repo, String branch) {
    return queue(repo, branch) + "/health";
  }

  public String whatIf(Repo repo, String branch) {
    return queue(repo, branch) + "/what-if";
  }

  public String pullRequest(Repo repo, String branch, int number) {
    return queue(repo, branch) + "/pulls/" + number;
  }

  public String run(Repo repo, String id) {
    return repository(repo) + "/runs/" + encoded(id);
  }

  public String tests(Repo repo) {
    return repository(repo) + "/tests";
  }

  public String test(Repo repo, String id) {
    return tests(repo) + "/" + encoded(id);
  }

  public String quarantine(Repo repo) {
    return repository(repo) + "/quarantine";
  }

  public String uploads(Repo repo) {
    return repository(repo) + "/uploads";
  }

  public String upload(Repo repo, String id) {
    return uploads(repo) + "/" + encoded(id);
  }

  public String settings(Repo repo) {
    return repository(repo) + "/settings";
  }

  public String ticket(String id) {
    return base() + "/tickets/" + encoded(id);
  }

  public String settings() {
    return base() + "/settings";
  }

  /** An endpoint that events are sent to. */
  public String webhook(String id) {
    return settings() + "?webhook=" + encoded(id);
  }

  private String base() {
    return ReservedSlugs.path(organization);
  }

  private static String path(Repo repo) {
    if (isPlain(repo.whole(), true)) {
      return repo.whole();
    }
    return Arrays.stream(repo.whole().split("/", -1))
        .map(Address::encoded)
        .collect(Collectors.joining("/"));
  }

  /** Whether it stands for itself in an address, as most names do. */
  private static boolean isPlain(String text, boolean slashes) {
    for (int i = 0; i < text.length(); i++) {
      char sign = text.charAt(i);
      boolean letter = (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
      boolean digit = sign >= '0' && sign <= '9';
      if (!letter
          && !digit
          && sign != '-'
          && sign != '.'
          && sign != '_'
          && !(slashes && sign == '/')) {
        return false;
      }
    }
    return true;
  }
}
