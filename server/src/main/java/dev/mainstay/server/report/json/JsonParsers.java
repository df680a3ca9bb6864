package dev.mainstay.server.report.json;

import dev.mainstay.server.report.Limits;
import java.io.InputStream;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Parsers of JSON with the limits of reports. */
final class JsonParsers {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.JSON_DEPTH)
                  .maxStringLength(Limits.JSON_TEXT_LENGTH)
                  .build())
          // What is behind a report in an archive is still to be read.
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .build();

  private JsonParsers() {}

  static JsonParser of(InputStream in) {
    return JSON.createParser(ObjectReadContext.empty(), in);
  }

  static JsonParser of(byte[] bytes, int from, int length) {
    return JSON.createParser(ObjectReadContext.empty(), bytes, from, length);
  }
}
