package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.RefNames;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The tags of the far side that stand on commits which are here. No history is fetched for a tag:
 * one that stands elsewhere is left out, and of an annotated one only the annotation is fetched.
 */
public final class Tags {
  private static final String PREFIX = "refs/tags/";
  private static final String STANDS_ON = "^{}";
  private static final int MOST = 20_000;
  private static final int FETCHED_AT_ONCE = 500;

  private Tags() {}

  /** The objects of tags by their full names. */
  public static Map<String, String> of(Remote remote) {
    Map<String, String> listed = remote.list(List.of(PREFIX + "*"));
    var here = new TreeMap<String, String>();
    listed.entrySet().stream()
        .filter(tag -> isTag(tag.getKey()))
        .limit(MOST)
        .filter(tag -> remote.cache().hasObject(standsOn(listed, tag)))
        .forEach(tag -> here.put(tag.getKey(), tag.getValue()));
    List<String> without =
        here.entrySet().stream()
            .filter(tag -> !remote.cache().hasObject(tag.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    IntStream.iterate(0, from -> from < without.size(), from -> from + FETCHED_AT_ONCE)
        .forEach(
            from ->
                remote.fetch(
                    without.subList(from, Math.min(without.size(), from + FETCHED_AT_ONCE))));
    return remote.withObjects(here);
  }

  private static boolean isTag(String name) {
    return name.startsWith(PREFIX) && RefNames.isBranch(name.substring(PREFIX.length()));
  }

  private static String standsOn(Map<String, String> listed, Map.Entry<String, String> tag) {
    return listed.getOrDefault(tag.getKey() + STANDS_ON, tag.getValue());
  }
}
