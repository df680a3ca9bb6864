package dev.mainstay.server.platform;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON is never reckoned to take less memory than it does. */
class JsonWeightTest {
  private static final ThreadMXBean MEMORY = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int TIMES = 100_000;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "[0]",
        "[[[0]]]",
        "{\"\":0}",
        "{\"a\":{\"b\":{}}}",
        "{\"a\":1,\"b\":2,\"c\":3,\"d\":4}",
        "0",
        "99",
        "123456789012",
        "1.5",
        "true",
        "\"\"",
        "\"a\"",
        "\"\\\"\\\\\"",
        "\"\u20ac\u20ac\"",
        "\"a longer text, with { and : and , in it\""
      })
  void many_small_values_take_no_more_than_was_reckoned(String value) {
    check("{\"a\":[" + (value + ",").repeat(TIMES) + "0]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "12345", "\"\"", "\"a\"", "{}", "[]", "null"})
  void so_do_keys_that_occur_once(String value) {
    check(
        IntStream.range(0, TIMES)
            .mapToObj(i -> "\"%s\":%s".formatted(Integer.toString(i, 36), value))
            .collect(Collectors.joining(",", "{", "}")));
  }

  private static void check(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    // What the first reading of all loads stays, and is nobody's.
    assertThat(Json.readObject(bytes)).isNotNull();
    long before = MEMORY.getCurrentThreadAllocatedBytes();
    assertThat(Json.readObject(bytes)).isNotNull();
    long taken = MEMORY.getCurrentThreadAllocatedBytes() - before;
    assertThat(JsonWeight.of(bytes)).isGreaterThanOrEqualTo(taken);
  }
}
