package dev.mainstay.server.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read digit by digit is what the platform's own classes read. */
class ReportTimesTest {
  private static final int MANY = 20_000;

  @Test
  void any_moment_in_any_zone_is_read_as_the_platform_reads_it() {
    var random = new Random(26);
    for (int i = 0; i < MANY; i++) {
      OffsetDateTime moment =
          Instant.ofEpochSecond(946_684_800L + random.nextInt(Integer.MAX_VALUE))
              .plusNanos(random.nextInt(1_000_000_000))
              .atOffset(ZoneOffset.ofTotalSeconds(60 * (random.nextInt(2 * 14 * 60) - 14 * 60)));
      String digits = "S".repeat(1 + random.nextInt(9));
      String zone = new String[] {"XXX", "XX", "xxx"}[random.nextInt(3)];
      String separator = random.nextBoolean() ? "'T'" : " ";
      String text =
          moment.format(
              DateTimeFormatter.ofPattern("yyyy-MM-dd" + separator + "HH:mm:ss." + digits + zone));
      long expected =
          moment.toEpochSecond() * 1000
              + (digits.length() < 3
                  ? moment.getNano()
                      / 1_000_000
                      / pow(3 - digits.length())
                      * pow(3 - digits.length())
                  : moment.getNano() / 1_000_000);
      assertThat(new ReportTimes().millis(text)).as(text).isEqualTo(expected);
    }
  }

  private static long pow(int digits) {
    return digits == 1 ? 10 : 100;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-29T10:00:00",
        "2026-13-01T10:00:00",
        "2026-00-01T10:00:00",
        "2026-03-32T10:00:00",
        "2026-04-31T10:00:00Z",
        "2026-03-01T24:00:01",
        "2026-03-01T10:60:00",
        "2026-03-01T10:00:61",
        "2026-03-01T10:00:00.1234567890",
        "2026-03-01T10:00:00+1:00",
        "2026-03-01T10:00:00+19:00",
        "2026-03-01T10:00:00+01:60",
        "2026-03-01T1٠:00:00",
        "123456789012x",
        "0000000000000"
      })
  void a_moment_that_is_none_is_unknown(String text) {
    assertThat(new ReportTimes().millis(text)).isEqualTo(ReportedRun.UNKNOWN_TIME);
  }

  @ParameterizedTest
  @CsvSource({
    "2024-02-29T10:00:00Z, 2024-02-29T10:00:00Z",
    "'2026-03-01 10:00:00,5 GMT', 2026-03-01T10:00:00.500Z",
    "2026-03-01T10:00:00-0930, 2026-03-01T19:30:00Z",
    "2026-03-01T10:00:00+18:00, 2026-02-28T16:00:00Z",
    "2026-03-01T10:00, 2026-03-01T10:00:00Z"
  })
  void a_moment_at_an_edge_is_read(String text, Instant expected) {
    assertThat(Instant.ofEpochMilli(new ReportTimes().millis(text))).isEqualTo(expected);
  }

  @Test
  void any_duration_is_rounded_as_floating_point_rounds_it() {
    var random = new Random(26);
    for (int i = 0; i < MANY; i++) {
      String text = Integer.toString(random.nextInt(1_000_000));
      int decimals = random.nextInt(11);
      if (decimals > 0) {
        text +=
            "."
                + Long.toString(10_000_000_000L + random.nextInt(1_000_000_000))
                    .substring(1, 1 + decimals);
      }
      int expected = (int) Math.round(Double.parseDouble(text) * 1000);
      assertThat(ReportTimes.durationMillis(text)).as(text).isEqualTo(expected);
      char[] chars = ("7" + text + "7").toCharArray();
      assertThat(ReportTimes.durationMillis(chars, 1, chars.length - 1)).isEqualTo(expected);
    }
    assertThat(ReportTimes.durationMillis("0.0125")).isEqualTo(13);
    assertThat(ReportTimes.durationMillis("1.0005")).isEqualTo((int) Math.round(1.0005 * 1000));
  }

  @ParameterizedTest
  @CsvSource({
    "00:00:00.0125000, 13",
    "00:00:00.0124999, 12",
    "01:02:03.5, 3723500",
    "00:00:07, 7000",
    "1:00:00, 3600000",
    "00:00, -1",
    "0x:00:00, -1",
    "00:00:0x, -1"
  })
  void the_clock_of_net_is_read(String text, int millis) {
    assertThat(ReportTimes.clockMillis(text)).isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "512, 512", "'', -1", "-1, -1", "1234567890123456, -1", "1.5, -1"})
  void a_count_has_digits_only(String text, double count) {
    assertThat(ReportTimes.count(text)).isEqualTo(count);
  }
}
