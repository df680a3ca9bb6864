package dev.mainstay.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bench.ReaderSamples.Sample;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeldMemoryTest {
  private static final int BYTES = 5_000_000;

  /** Much less than a report of so many bytes is, and much more than buffers are. */
  private static final double MOST_MEGABYTES = 3;

  /** Results that wait for what stands behind them: for their classes, for other attempts. */
  private static final Set<String> WAITING = Set.of("TRX", "Allure, a file a case");

  @Test
  void readers_hold_little_of_a_long_report() throws IOException {
    HeldMemory.of(ReaderSamples.all().getFirst(), 1000); // Classes take memory too.
    for (Sample sample : ReaderSamples.all()) {
      double held = HeldMemory.of(sample, sample.casesOf(BYTES));
      double most = WAITING.contains(sample.name()) ? BYTES / 1e6 : MOST_MEGABYTES;
      assertThat(held).as(sample.name()).isLessThan(most);
    }
  }
}
