package dev.mainstay.server.forge.gitea;

import dev.mainstay.server.platform.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A mark of the open pull requests: how many there are, and which were changed in the last seconds
 * before the newest change. Whatever changes one later makes it the newest. Times are whole
 * seconds, and a change may become visible a moment after its time: so the last seconds are part of
 * the mark as a whole, and {@code recent} says how many pull requests of them there are. Where they
 * are more than a page, the mark is {@code crowded}, and says nothing about a later moment.
 */
record OpenedMark(long total, int recent, String digest) {
  private static final Duration LAST_SECONDS = Duration.ofSeconds(5);
  private static final int CROWDED = 9999;
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})-(\\d{1,4})-([0-9a-f]{64})");

  /** Of the pull requests in the order of their last change, as many as were asked for. */
  static OpenedMark of(List<JsonNode> newestFirst, long total) {
    var recent = new StringBuilder();
    int count = 0;
    Instant newest = newestFirst.isEmpty() ? Instant.EPOCH : changed(newestFirst.getFirst());
    for (JsonNode pull : newestFirst) {
      if (changed(pull).isBefore(newest.minus(LAST_SECONDS))) {
        break;
      }
      count++;
      recent.append(line(pull));
    }
    boolean crowded = count == newestFirst.size() && count < total;
    return new OpenedMark(
        total, crowded ? CROWDED : count, HexFormat.of().formatHex(Sha256.of(recent.toString())));
  }

  boolean crowded() {
    return recent == CROWDED;
  }

  static Optional<OpenedMark> read(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(
            new OpenedMark(
                Long.parseLong(form.group(1)), Integer.parseInt(form.group(2)), form.group(3)))
        : Optional.empty();
  }

  private static String line(JsonNode pull) {
    return "%s %s %s %s %s\n"
        .formatted(
            pull.path("number").asInt(0),
            pull.path("updated_at").asString(""),
            pull.at("/head/sha").asString(""),
            pull.at("/base/ref").asString(""),
            pull.path("title").asString(""));
  }

  private static Instant changed(JsonNode pull) {
    try {
      return OffsetDateTime.parse(pull.path("updated_at").asString("")).toInstant();
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }

  @Override
  public String toString() {
    return total + "-" + recent + "-" + digest;
  }
}
