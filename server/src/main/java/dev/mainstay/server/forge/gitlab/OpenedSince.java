package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.platform.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A mark of the merge requests of a project: the time of the newest change to any of them, open or
 * not, and what was changed in the last seconds before it. Whatever changes later makes another
 * mark; a change may become visible a moment after its time, so the last seconds count as a whole.
 */
record OpenedSince(Instant newest, String digest) {
  private static final Duration LAST_SECONDS = Duration.ofSeconds(10);
  private static final Pattern FORM = Pattern.compile("(\\d{1,15})-([0-9a-f]{64})");

  /** Of all merge requests that were changed since {@link #from} of an earlier mark. */
  static OpenedSince of(List<JsonNode> changed, Instant atLeast) {
    Instant newest =
        changed.stream()
            .map(OpenedSince::changed)
            .max(Comparator.naturalOrder())
            .filter(time -> time.isAfter(atLeast))
            .orElse(atLeast);
    var lines = new StringBuilder();
    changed.stream()
        .filter(request -> !changed(request).isBefore(newest.minus(LAST_SECONDS)))
        .sorted(Comparator.comparingInt(request -> request.path("iid").asInt(0)))
        .forEach(request -> lines.append(line(request)));
    return new OpenedSince(newest, HexFormat.of().formatHex(Sha256.of(lines.toString())));
  }

  /** The beginning of the seconds that are part of the mark as a whole. */
  Instant from() {
    Instant from = newest.minus(LAST_SECONDS);
    return from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from;
  }

  static Optional<OpenedSince> read(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(
            new OpenedSince(Instant.ofEpochMilli(Long.parseLong(form.group(1))), form.group(2)))
        : Optional.empty();
  }

  private static String line(JsonNode request) {
    return "%d %s %s %s %s %s\n"
        .formatted(
            request.path("iid").asInt(0),
            request.path("updated_at").asString(""),
            request.path("state").asString(""),
            request.path("sha").asString(""),
            request.path("target_branch").asString(""),
            HostJson.text(request.path("title"), 500));
  }

  static Instant changed(JsonNode request) {
    try {
      return OffsetDateTime.parse(request.path("updated_at").asString("")).toInstant();
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }

  @Override
  public String toString() {
    return newest.toEpochMilli() + "-" + digest;
  }
}
