package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Host.Comment;
import dev.mainstay.server.forge.Host.Comments;
import dev.mainstay.server.forge.Host.Reaction;
import dev.mainstay.server.forge.hosted.CommandLines;
import dev.mainstay.server.forge.rest.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * New comments of a repository. Gitea lists them in their order, from a time of its own clock on;
 * they are numbered in that order, so the mark is the last number that was read, and its time.
 */
record GiteaComments(GiteaRepository repository) {
  private static final int MOST_LOGIN = 100;
  private static final String NONE = "0";
  private static final Pattern MARK = Pattern.compile("(\\d{1,18})(?: ([0-9TZ:+-]{10,40}))?");
  private static final Pattern NUMBER = Pattern.compile(".*/(?:pulls|issues)/([1-9]\\d{0,8})");

  Comments since(Optional<String> text) {
    Optional<Matcher> mark = text.map(MARK::matcher).filter(Matcher::matches);
    return mark.isPresent() ? after(mark.get()) : new Comments(List.of(), newest());
  }

  /** The mark of the last one there is. */
  private String newest() {
    Answer first = repository.get("/issues/comments?limit=1&page=1");
    long total =
        first
            .header("x-total-count")
            .filter(t -> t.matches("\\d{1,9}"))
            .map(Long::parseLong)
            .orElse(0L);
    if (total == 0 || first.json().isEmpty()) {
      return NONE;
    }
    JsonNode last = repository.get("/issues/comments?limit=1&page=" + total).json();
    return mark(last.isEmpty() ? first.json().path(0) : last.path(0), NONE);
  }

  private static String mark(JsonNode comment, String otherwise) {
    String mark = comment.path("id").asLong(0) + " " + comment.path("created_at").asString("");
    return MARK.matcher(mark).matches() ? mark : otherwise;
  }

  private Comments after(Matcher mark) {
    long last = Long.parseLong(mark.group(1));
    String since =
        Optional.ofNullable(mark.group(2))
            .map(time -> "?since=" + GiteaRepository.encoded(time))
            .orElse("");
    var found = new ArrayList<Comment>();
    var next = new AtomicReference<>(mark.group());
    repository.each(
        "/issues/comments" + since,
        json -> {
          if (json.path("id").asLong(0) > last) {
            read(json).ifPresent(found::add);
            next.set(mark(json, next.get()));
          }
          return true;
        });
    return new Comments(found, next.get());
  }

  private static Optional<Comment> read(JsonNode json) {
    String address = json.path("pull_request_url").asString("");
    Matcher number = NUMBER.matcher(address);
    String login = json.at("/user/login").asString("");
    if (!number.matches() || login.isEmpty() || login.length() > MOST_LOGIN) {
      return Optional.empty();
    }
    return Optional.of(
        new Comment(
            String.valueOf(json.path("id").asLong(0)),
            new PullRequestRef(Integer.parseInt(number.group(1))),
            login,
            false,
            CommandLines.of(json.path("body").asString(""))));
  }

  void react(String comment, Reaction reaction) {
    if (!comment.matches("\\d{1,18}")) {
      return;
    }
    String content =
        switch (reaction) {
          case DONE -> "+1";
          case REFUSED -> "-1";
        };
    Answer answer =
        repository.call(
            "POST", "/issues/comments/" + comment + "/reactions", Map.of("content", content));
    if (answer.status() != 404) {
      repository.good(answer);
    }
  }
}
