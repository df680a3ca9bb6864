package dev.mainstay.server.report;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A CODEOWNERS file: who owns a test, by the file it is in. In each section the last rule that fits
 * counts. A path is held only against rules whose rarest plain name it has, and in a bounded number
 * of steps for all paths together: files come from strangers, and so do paths.
 */
public final class Owners {
  private static final int MOST_OWNERS = 50;
  private static final int REMEMBERED = 10_000;

  private final Optional<OwnerRules> rules;
  private final Map<String, List<Integer>> byName = new HashMap<>();

  /** The rules that have no plain name. */
  private final BitSet always = new BitSet();

  private final OwnerPattern.Steps steps = new OwnerPattern.Steps(Limits.OWNER_STEPS);
  private final Cache<String, List<String>> known =
      Caffeine.newBuilder().executor(Runnable::run).maximumSize(REMEMBERED).build();

  private Owners(Optional<OwnerRules> rules) {
    this.rules = rules;
    rules.map(OwnerRules::rules).ifPresent(this::index);
  }

  public static Owners parse(String text) {
    return new Owners(OwnerRules.read(Texts.clean(text)));
  }

  public static boolean isCodeOwnersFile(String name) {
    return name.substring(name.lastIndexOf('/') + 1).equals("CODEOWNERS");
  }

  private void index(List<OwnerRules.Rule> all) {
    var counts = new HashMap<String, Integer>();
    for (var rule : all) {
      rule.pattern().plainNames().forEach(name -> counts.merge(name, 1, Integer::sum));
    }
    for (int i = 0; i < all.size(); i++) {
      Optional<String> rarest =
          all.get(i).pattern().plainNames().min(Comparator.comparing(counts::get));
      if (rarest.isPresent()) {
        byName.computeIfAbsent(rarest.get(), name -> new ArrayList<>()).add(i);
      } else {
        always.set(i);
      }
    }
  }

  /** The reason why owners are missing that the file may name. */
  public Optional<String> fault() {
    if (rules.isEmpty()) {
      return Optional.of(
          "more than %d rules; nobody was taken for an owner".formatted(Limits.OWNER_RULES));
    }
    return steps.areUsedUp()
        ? Optional.of("its patterns take too long; the rest of the tests has no owners")
        : Optional.empty();
  }

  /** True where the search has taken so long that nobody should have to wait for it. */
  public boolean takesLong() {
    return steps.taken() > Limits.OWNER_STEPS / 50;
  }

  public List<String> of(String file) {
    return file.isEmpty() ? List.of() : known.get(file, this::find);
  }

  private List<String> find(String file) {
    if (rules.isEmpty() || file.length() > Limits.OWNER_PATH_LENGTH || steps.areUsedUp()) {
      return List.of();
    }
    String path = file.replace('\\', '/');
    List<String> names = OwnerPattern.split(path.startsWith("./") ? path.substring(2) : path);
    Map<Integer, Set<String>> found = bySection(rules.get(), names);
    var owners = new LinkedHashSet<String>();
    found.values().forEach(owners::addAll);
    return steps.areUsedUp() ? List.of() : owners.stream().limit(MOST_OWNERS).toList();
  }

  private Map<Integer, Set<String>> bySection(OwnerRules file, List<String> names) {
    var found = new TreeMap<Integer, Set<String>>();
    BitSet candidates = candidates(names);
    int i = candidates.previousSetBit(file.rules().size());
    while (i >= 0 && found.size() < file.sections() && steps.take()) {
      var rule = file.rules().get(i);
      if (!found.containsKey(rule.section()) && rule.pattern().fits(names, steps)) {
        found.put(rule.section(), file.owners(rule));
      }
      i = candidates.previousSetBit(i - 1);
    }
    return found;
  }

  private BitSet candidates(List<String> names) {
    var candidates = (BitSet) always.clone();
    steps.take(1 + always.size() / Long.SIZE);
    for (String name : Set.copyOf(names)) {
      List<Integer> some = byName.getOrDefault(name, List.of());
      some.forEach(candidates::set);
      steps.take(1 + some.size());
    }
    return candidates;
  }
}
