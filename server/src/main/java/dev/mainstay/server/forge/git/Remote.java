package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge.Heads;
import dev.mainstay.server.forge.Forge.Look;
import dev.mainstay.server.platform.Sha256;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The far repository, asked by way of our copy. */
record Remote(GitCache cache, GitAddress address) {
  private static final Pattern PULL = Pattern.compile("refs/pull/([1-9][0-9]{0,8})/(head|meta)");
  private static final Pattern OUR_FAULT =
      Pattern.compile(
          "corrupt|bad object|bad tree|unable to read|unable to find|missing|invalid sha1|is empty"
              + "|loose object|cannot lock ref|not a valid|did not receive expected|index-pack");
  private static final Pattern NO_SUCH =
      Pattern.compile("couldn't find remote ref (\\S+)", Pattern.CASE_INSENSITIVE);

  /** Patterns, since an exact name that is not there would fail the whole question. */
  static List<String> pullRequest(int number) {
    return List.of("refs/pull/" + number + "/hea*", "refs/pull/" + number + "/met*");
  }

  Look.Seen look(KnownMetas metas) {
    String listing = listing(List.of("refs/heads/*", "refs/pull/*"));
    Map<PullRequestRef, CommitSha> pulls =
        new TreeMap<>(java.util.Comparator.comparingInt(PullRequestRef::number));
    Map<String, CommitSha> branches = new TreeMap<>();
    Map<Integer, Optional<String>> seen = new HashMap<>();
    Listing.read(listing)
        .forEach(
            (name, sha) -> {
              Matcher pull = PULL.matcher(name);
              if (name.startsWith("refs/heads/")) {
                branches.put(name.substring("refs/heads/".length()), new CommitSha(sha));
              } else if (pull.matches() && pull.group(2).equals("head")) {
                var pr = new PullRequestRef(Integer.parseInt(pull.group(1)));
                pulls.put(pr, new CommitSha(sha));
                seen.putIfAbsent(pr.number(), Optional.empty());
              } else if (pull.matches()) {
                seen.put(Integer.parseInt(pull.group(1)), Optional.of(sha));
              }
            });
    metas.sawAll(seen);
    return new Look.Seen(new Heads(pulls, branches), HexFormat.of().formatHex(Sha256.of(listing)));
  }

  Map<String, String> list(List<String> patterns) {
    return Listing.read(listing(patterns));
  }

  private String listing(List<String> patterns) {
    Git.Result result = cache.list(patterns);
    if (!result.ok()) {
      throw GitErrors.fault(address, result);
    }
    return result.text();
  }

  /** Fetches these references, as far as they exist. */
  void fetch(List<String> references) {
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
  void bring(List<String> commits, List<String> references) {
    if (!commits.stream().allMatch(cache::has)) {
      fetch(references);
    }
  }

  /** A failure of the far side, or of our copy: where that is broken, another copy helps. */
  RuntimeException failed(Git.Result result) {
    boolean ours =
        !result.timedOut()
            && (!cache.looksWhole()
                || (OUR_FAULT.matcher(result.errors()).find() && cache.list(List.of("HEAD")).ok()));
    return ours
        ? new CacheBroken(GitErrors.sentence(address, result))
        : GitErrors.fault(address, result);
  }
}
