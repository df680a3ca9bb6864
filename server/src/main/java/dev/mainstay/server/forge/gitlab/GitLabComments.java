package dev.mainstay.server.forge.gitlab;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.Comment;
import dev.mainstay.server.forge.Host.Comments;
import dev.mainstay.server.forge.Host.Reaction;
import dev.mainstay.server.forge.hosted.CommandLines;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * New comments of a project. GitLab lists those of one merge request only, but the events of the
 * whole project: one is made for each comment when it is written, none for notes of the system and
 * none for edits. Events are numbered, but made in the background: one may show a moment after the
 * next. So the mark is the last numbers that were read, and what is new among them is told too. A
 * page may be short though more follow, since what the token may not see is left out of it.
 */
final class GitLabComments {
  private static final int MOST_PAGES = 10;
  private static final int MOST_SEEN = 20;
  private static final Pattern MARK = Pattern.compile("\\d{1,18}( \\d{1,18}){0,19}");
  private static final int MOST_LOGIN = 255;
  private static final int MOST_PEOPLE = 10_000;
  private static final Duration KNOWN = Duration.ofDays(1);

  /** Not by {@code target_type=note}: that leaves out what is said in threads. */
  private static final String EVENTS = "/events?action=commented&sort=desc&per_page=100&page=";

  /** The users that GitLab makes for tokens of projects and groups, and for service accounts. */
  private static final Pattern BOT =
      Pattern.compile("(project|group)_\\d+_bot(_.*)?|service_account_.*");

  private final GitLabProject project;

  /** Whether a user is a bot, by its number. GitLab allows few such questions. */
  private final Cache<Long, Boolean> bots =
      Caffeine.newBuilder().expireAfterWrite(KNOWN).maximumSize(MOST_PEOPLE).build();

  GitLabComments(GitLabProject project) {
    this.project = project;
  }

  Comments since(Optional<String> mark) {
    Optional<NavigableSet<Long>> before =
        mark.filter(m -> MARK.matcher(m).matches()).map(GitLabComments::numbers);
    NavigableSet<Long> seen = before.orElseGet(TreeSet::new);
    long oldest = seen.isEmpty() ? 0 : seen.first();
    var now = new TreeSet<>(seen);
    var found = new ArrayList<Comment>();
    boolean more = true;
    for (int page = 1; more && page <= MOST_PAGES; page++) {
      Answer answer = page(page);
      for (JsonNode event : answer.json()) {
        long id = event.path("id").asLong(0);
        more &= before.isPresent() && id > oldest;
        if (now.add(id) && more) {
          read(event.path("note")).ifPresent(found::add);
        }
      }
      more &= answer.header("link").filter(link -> link.contains("rel=\"next\"")).isPresent();
    }
    return new Comments(found.reversed(), mark(now));
  }

  private static NavigableSet<Long> numbers(String mark) {
    return Arrays.stream(mark.split(" ", -1))
        .map(Long::parseLong)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String mark(NavigableSet<Long> seen) {
    return seen.isEmpty()
        ? "0"
        : seen.descendingSet().stream()
            .limit(MOST_SEEN)
            .map(String::valueOf)
            .collect(Collectors.joining(" "));
  }

  private Answer page(int number) {
    Answer answer = project.rest().get("/projects/" + project.id() + EVENTS + number);
    if (!answer.ok() || !answer.json().isArray()) {
      throw new ForgeUnavailable(
          "The host of %s does not show what was said: %s (%d)."
              .formatted(project.place(), GitLabProject.words(answer), answer.status()));
    }
    return answer;
  }

  /** One that was deleted since is not told of by its event. */
  private Optional<Comment> read(JsonNode note) {
    Optional<PullRequestRef> pr =
        HostJson.number(note.path("noteable_iid"))
            .filter(any -> note.path("noteable_type").asString("").equals("MergeRequest"))
            .filter(any -> !note.path("system").asBoolean(false));
    String login = note.at("/author/username").asString("");
    if (pr.isEmpty() || login.isEmpty() || login.length() > MOST_LOGIN) {
      return Optional.empty();
    }
    List<String> lines = CommandLines.of(note.path("body").asString(""));
    return Optional.of(
        new Comment(
            String.valueOf(note.path("id").asLong(0)),
            pr.get(),
            login,
            !lines.isEmpty() && isBot(note.path("author"), login),
            lines));
  }

  /** A service account may have any name: GitLab says of each user whether it is a bot. */
  private boolean isBot(JsonNode author, String login) {
    return BOT.matcher(login).matches() || bots.get(author.path("id").asLong(0), this::saysBot);
  }

  private boolean saysBot(long user) {
    try {
      Answer answer = project.rest().get("/users/" + user);
      return answer.ok() && answer.json().path("bot").asBoolean(false);
    } catch (CredentialsRefused e) {
      return false;
    }
  }

  /** What is gone, and what was answered so before, are both said not to be there. */
  void react(PullRequestRef pr, String comment, Reaction reaction) {
    if (!comment.matches("\\d{1,18}")) {
      return;
    }
    String name =
        switch (reaction) {
          case DONE -> "thumbsup";
          case REFUSED -> "thumbsdown";
        };
    Answer answer =
        project.call(
            "POST",
            GitLabProject.request(pr) + "/notes/" + comment + "/award_emoji",
            Map.of("name", name));
    if (!answer.ok() && answer.status() != 404) {
      throw new ForgeUnavailable(
          "The host of %s does not take a reaction: %s (%d)."
              .formatted(project.place(), GitLabProject.words(answer), answer.status()));
    }
  }
}
