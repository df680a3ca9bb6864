package dev.mainstay.server.platform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Log lines in both their forms, of what is too long for one. */
class BoundedLinesTest {
  private static final int LONGEST_LINE = 20_000;
  private final LoggerContext context = new LoggerContext();

  BoundedLinesTest() {
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  @Test
  void a_long_message_is_cut_and_stays_on_its_line() {
    String message = "first\nsecond\r\u0007" + "x".repeat(100_000);
    assertThat(line(Logs.Format.TEXT, message, null))
        .hasSizeLessThan(2_200)
        .contains("first\\nsecond\\r?xxx")
        .endsWith(" characters more)\n");
    String json = line(Logs.Format.JSON, message, null);
    assertThat(json).hasSizeLessThan(2_500);
    assertThat(Json.read(json.getBytes(UTF_8)).path("formattedMessage").asString())
        .startsWith("first\\nsecond\\r?xxx")
        .endsWith(" characters more)");
  }

  @Test
  void so_is_the_message_of_an_exception() {
    var fault = new IllegalStateException("y".repeat(100_000), new RuntimeException("z"));
    for (Logs.Format format : Logs.Format.values()) {
      assertThat(line(format, "failed", fault))
          .hasSizeLessThan(LONGEST_LINE)
          .contains("failed")
          .contains("java.lang.IllegalStateException: yyy");
    }
  }

  @Test
  void what_is_short_is_as_it_was() {
    var fault = new IllegalStateException("why");
    assertThat(line(Logs.Format.TEXT, "a\tb", null)).endsWith(" INFO  http     [-] a\tb\n");
    assertThat(line(Logs.Format.TEXT, "failed", fault))
        .contains("failed\njava.lang.IllegalStateException: why\n\tat ");
    assertThat(line(Logs.Format.TEXT, "failed\n", fault))
        .contains("failed\\n\njava.lang.IllegalStateException: why\n\tat ");
  }

  private String line(Logs.Format format, String message, @Nullable Throwable fault) {
    var logger = context.getLogger("http");
    var event = new LoggingEvent("here", logger, Level.INFO, message, fault, null);
    return new String(Logs.bounded(format, context).encode(event), UTF_8);
  }
}
