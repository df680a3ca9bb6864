package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.hosted.HostApi.Opened;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The open pull requests: by one small request where nothing changed, else page by page. While
 * pages are read, a pull request may move to one that was read already: so they count only where
 * the mark is the same before and after.
 */
record GiteaOpened(GiteaRepository repository) {
  /** The largest page that the host gives. */
  private static final int PAGE = 50;

  private static final int MOST_PULLS = 20_000;
  private static final int TRIES = 4;

  private record Page(List<JsonNode> pulls, long total) {
    OpenedMark mark() {
      return OpenedMark.of(pulls, total);
    }
  }

  Opened since(Optional<String> text) {
    Optional<OpenedMark> mark = text.flatMap(OpenedMark::read).filter(m -> !m.crowded());
    if (mark.isPresent() && page(1, mark.get().recent() + 1).mark().equals(mark.get())) {
      return new Opened.Unchanged();
    }
    for (int i = 0; i < TRIES; i++) {
      Optional<Opened> all = all();
      if (all.isPresent()) {
        return all.get();
      }
    }
    throw new ForgeUnavailable(
        "The pull requests of %s change while they are read.".formatted(repository.place()));
  }

  /** Empty where they changed meanwhile. */
  private Optional<Opened> all() {
    Page first = page(1, PAGE);
    if (first.total() > MOST_PULLS) {
      throw new ForgeUnavailable(
          "The repository %s has more than %,d open pull requests: close those that nobody wants."
              .formatted(repository.place(), MOST_PULLS));
    }
    Map<Integer, JsonNode> pulls = new HashMap<>();
    int read = 1;
    for (Page page = first; !page.pulls().isEmpty(); page = page(read, PAGE)) {
      page.pulls().forEach(pull -> pulls.put(pull.path("number").asInt(0), pull));
      if (pulls.size() >= first.total()) {
        break;
      }
      read++;
    }
    OpenedMark mark = first.mark();
    boolean same =
        pulls.size() == first.total() && (read == 1 || page(1, PAGE).mark().equals(mark));
    return same
        ? Optional.of(new Opened.Seen(heads(pulls.values()), mark.toString()))
        : Optional.empty();
  }

  private static Map<PullRequestRef, CommitSha> heads(Iterable<JsonNode> pulls) {
    Map<PullRequestRef, CommitSha> heads = new HashMap<>();
    for (JsonNode pull : pulls) {
      Optional<PullRequestRef> number = HostJson.number(pull.path("number"));
      HostJson.commit(pull.at("/head/sha"))
          .ifPresent(head -> number.ifPresent(pr -> heads.put(pr, head)));
    }
    return heads;
  }

  private Page page(int number, int most) {
    String path = "/pulls?state=open&sort=recentupdate&limit=%d&page=%d".formatted(most, number);
    Answer answer = repository.call(path);
    if (answer.status() == 404 && repository.itself().path("empty").asBoolean(false)) {
      return new Page(List.of(), 0);
    }
    repository.good(answer);
    List<JsonNode> pulls = new ArrayList<>();
    answer.json().forEach(pulls::add);
    long total =
        answer
            .header("x-total-count")
            .filter(text -> text.matches("\\d{1,9}"))
            .map(Long::parseLong)
            .orElseThrow(
                () ->
                    new ForgeUnavailable(
                        "The host of %s does not say how many pull requests are open."
                            .formatted(repository.place())));
    return new Page(pulls, total);
  }
}
