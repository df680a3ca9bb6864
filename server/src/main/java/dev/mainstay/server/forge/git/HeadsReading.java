package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge.Heads;
import dev.mainstay.server.forge.Forge.Look;
import dev.mainstay.server.forge.git.copy.Remote;
import dev.mainstay.server.platform.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads where everything is, by one listing of references; the mark stands for the whole of it. */
record HeadsReading(Remote remote, KnownMetas metas) {
  private static final Pattern PULL = Pattern.compile("refs/pull/([1-9][0-9]{0,8})/(head|meta)");

  /** A listing with this mark has been read here already. */
  Look read(Optional<String> known) {
    Map<String, String> listing = remote.list(List.of("refs/heads/*", "refs/pull/*"));
    if (listing.isEmpty()) {
      remote.prove();
    }
    String mark = mark(listing);
    if (known.equals(Optional.of(mark))) {
      return new Look.Unchanged();
    }
    Map<PullRequestRef, CommitSha> pulls =
        new TreeMap<>(Comparator.comparingInt(PullRequestRef::number));
    Map<String, CommitSha> branches = new TreeMap<>();
    Map<Integer, Optional<String>> seen = new HashMap<>();
    listing.forEach(
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
    return new Look.Seen(new Heads(pulls, branches), mark);
  }

  private static String mark(Map<String, String> listing) {
    MessageDigest digest = Sha256.digest();
    listing.forEach(
        (name, sha) -> digest.update((sha + "\t" + name + "\n").getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest());
  }
}
