package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Host.Cover;
import dev.mainstay.server.forge.Host.Covers;
import dev.mainstay.server.forge.Host.Deed;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * Labels of pull requests, and their merge by Gitea itself once all checks succeeded, which only
 * the timeline tells. What changes on a pull request, changes its time: the mark is the newest of
 * those, by Gitea's own clock, and what has that very time is told again.
 */
record GiteaLabels(GiteaRepository repository) {
  private static final int MOST_NAME = 255;
  private static final String COLOR = "#8b949e";
  private static final String SCHEDULED = "pull_scheduled_merge";
  private static final String UNSCHEDULED = "pull_cancel_scheduled_merge";

  Covers since(Optional<String> mark) {
    Optional<Long> since = mark.filter(m -> m.matches("\\d{1,12}")).map(Long::parseLong);
    var newest = new AtomicLong(since.orElse(0L));
    Map<PullRequestRef, Cover> covers = new HashMap<>();
    repository.each(
        "/pulls?sort=recentupdate&state=" + (since.isPresent() ? "all" : "open"),
        pull -> {
          long time = seconds(pull.path("updated_at").asString(""));
          if (since.filter(s -> time < s).isPresent()) {
            return false;
          }
          newest.accumulateAndGet(time, Math::max);
          HostJson.number(pull.path("number")).ifPresent(pr -> covers.put(pr, cover(pr, pull)));
          return true;
        });
    return new Covers(covers, String.valueOf(newest.get()));
  }

  /** Gitea writes times in whatever zone it is in. */
  private static long seconds(String time) {
    try {
      return OffsetDateTime.parse(time).toEpochSecond();
    } catch (DateTimeException e) {
      return 0;
    }
  }

  Cover cover(PullRequestRef pr, JsonNode pull) {
    var labels = new TreeSet<String>();
    pull.path("labels").forEach(label -> labels.add(HostJson.text(label.path("name"), MOST_NAME)));
    boolean open = pull.path("state").asString("").equals("open");
    return new Cover(
        HostJson.branch(pull.at("/base/ref")).orElse(""),
        open,
        labels,
        open && armed(pr).filter(Deed::set).isPresent());
  }

  Optional<Deed> armed(PullRequestRef pr) {
    return last(
        pr,
        event -> isOf(event, SCHEDULED) || isOf(event, UNSCHEDULED),
        event -> isOf(event, SCHEDULED));
  }

  Optional<Deed> labelled(PullRequestRef pr, String label) {
    return last(
        pr,
        event -> isOf(event, "label") && event.at("/label/name").asString("").equals(label),
        event -> event.path("body").asString("").equals("1"));
  }

  private static boolean isOf(JsonNode event, String type) {
    return event.path("type").asString("").equals(type);
  }

  private Optional<Deed> last(
      PullRequestRef pr, Predicate<JsonNode> which, Predicate<JsonNode> set) {
    if (repository.find("/issues/" + pr.number()).isEmpty()) {
      return Optional.empty();
    }
    var last = new AtomicReference<Optional<Deed>>(Optional.empty());
    repository.eachUncounted(
        "/issues/%d/timeline".formatted(pr.number()),
        event -> {
          if (which.test(event)) {
            last.set(Optional.of(deed(event, set.test(event))));
          }
          return true;
        });
    return last.get();
  }

  private static Deed deed(JsonNode event, boolean set) {
    return new Deed(
        String.valueOf(event.path("id").asLong(0)), event.at("/user/login").asString(""), set);
  }

  void label(PullRequestRef pr, Set<String> set, Set<String> take) {
    String path = "/issues/%d/labels".formatted(pr.number());
    Map<String, Long> there = ids(repository.find(path).stream().toList());
    for (String label : take) {
      if (there.containsKey(label)) {
        Answer answer = repository.call("DELETE", path + "/" + there.get(label), Map.of());
        if (answer.status() != 404) {
          repository.good(answer);
        }
      }
    }
    List<Long> missing = new ArrayList<>();
    for (String label : set) {
      if (!there.containsKey(label)) {
        missing.add(id(label));
      }
    }
    if (!missing.isEmpty()) {
      Answer answer = repository.call("POST", path, Map.of("labels", missing));
      if (answer.status() != 404) {
        repository.good(answer);
      }
    }
  }

  /** The label of the repository, which is made where there is none. */
  private long id(String name) {
    var known = new AtomicLong();
    repository.each(
        "/labels",
        label -> {
          if (label.path("name").asString("").equals(name)) {
            known.set(label.path("id").asLong(0));
          }
          return known.get() == 0;
        });
    return known.get() > 0
        ? known.get()
        : repository
            .change("POST", "/labels", Map.of("name", name, "color", COLOR))
            .path("id")
            .asLong(0);
  }

  private static Map<String, Long> ids(List<JsonNode> lists) {
    Map<String, Long> ids = new HashMap<>();
    for (JsonNode list : lists) {
      list.forEach(
          label -> ids.putIfAbsent(label.path("name").asString(""), label.path("id").asLong(0)));
    }
    return ids;
  }
}
