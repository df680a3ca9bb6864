package dev.mainstay.server.forge.git.copy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The far repository, asked by way of our copy. */
public record Remote(GitCache cache, GitAddress address, PullReferences pulls) {
  private static final Pattern OUR_FAULT =
      Pattern.compile(
          "corrupt|bad object|bad tree|unable to read|unable to find|missing|invalid sha1|is empty"
              + "|loose object|cannot lock ref|not a valid|did not receive expected|index-pack");
  private static final Pattern NO_SUCH =
      Pattern.compile("couldn't find remote ref (\\S+)", Pattern.CASE_INSENSITIVE);

  private static final Pattern NOT_GIVEN =
      Pattern.compile("not our ref|unadvertised object|couldn't find remote ref");

  /** The references of these names; a name may end in {@code *}. */
  public Map<String, String> list(List<String> patterns) {
    return cache.listWithoutGit(patterns).orElseGet(() -> askForList(patterns));
  }

  private Map<String, String> askForList(List<String> patterns) {
    Git.Result result = cache.askForList(patterns);
    if (!result.ok()) {
      throw GitErrors.fault(address, result);
    }
    return Listing.read(result.text());
  }

  /** Sees that there is a repository, of which nothing was listed. */
  public void prove() {
    Git.Result result = cache.prove();
    if (!result.ok()) {
      throw GitErrors.fault(address, result);
    }
  }

  /** Fetches these references, as far as they exist. */
  public void fetch(List<String> references) {
    var wanted = new ArrayList<>(references);
    while (!wanted.isEmpty()) {
      Git.Result result = cache.fetch(wanted);
      if (result.ok()) {
        return;
      }
      Matcher missing = NO_SUCH.matcher(result.errors());
      if (result.timedOut() || !missing.find() || !wanted.remove(missing.group(1))) {
        throw failed(result);
      }
      cache.forget(missing.group(1));
    }
  }

  /** Fetches these references only where one of these commits is not here yet. */
  public void bring(List<String> commits, List<String> references) {
    if (!commits.stream().allMatch(cache::has)) {
      fetch(references);
    }
  }

  /** Fetches a commit that no reference leads to, where the far side gives such out. */
  public void bring(String commit) {
    if (!cache.has(commit)) {
      Git.Result result = cache.fetch(List.of(commit));
      if (!result.ok() && (result.timedOut() || !NOT_GIVEN.matcher(result.errors()).find())) {
        throw failed(result);
      }
    }
  }

  /** Those of these references whose objects are here. */
  public Map<String, String> withObjects(Map<String, String> references) {
    var here = new TreeMap<>(references);
    here.values().removeIf(object -> !cache.hasObject(object));
    return here;
  }

  /**
   * Puts a commit that is here into an empty directory, which becomes a git work tree. Answers why
   * no disk takes its files, where that is so.
   */
  public Optional<String> checkout(String commit, Path into, Map<String, String> tags) {
    return cache.checkout(commit, into, tags);
  }

  /** A failure of the far side, or of our copy: where that is broken, another copy helps. */
  public RuntimeException failed(Git.Result result) {
    boolean ours =
        !result.timedOut()
            && (!cache.looksWhole()
                || (OUR_FAULT.matcher(result.errors()).find()
                    && cache.askForList(List.of("HEAD")).ok()));
    return ours
        ? new CacheBroken(GitErrors.sentence(address, result))
        : GitErrors.fault(address, result);
  }
}
