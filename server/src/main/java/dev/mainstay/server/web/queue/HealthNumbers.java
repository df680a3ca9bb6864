package dev.mainstay.server.web.queue;

import java.util.List;
import java.util.Optional;

/** How a queue has done, as the API answers it. */
public final class HealthNumbers {
  private HealthNumbers() {}

  public record Quantiles(double p50, double p95) {}

  public record Left(String code, int count) {}

  public record Totals(
      int entered,
      int merged,
      int failed,
      int cancelled,
      int restarts,
      int bisections,
      int builds,
      int buildsSaved,
      Optional<Double> buildsPerChange,
      Optional<Quantiles> timeInQueueSeconds) {
    /** The share of those that left by landing. */
    public Optional<Double> mergeRate() {
      int left = merged + failed + cancelled;
      return left == 0 ? Optional.empty() : Optional.of((double) merged / left);
    }
  }

  public record Step(
      String at,
      int restarts,
      int builds,
      Optional<Double> buildsPerChange,
      Optional<Quantiles> timeInQueueSeconds,
      Optional<Quantiles> waitingSeconds,
      Optional<Quantiles> testingSeconds,
      Optional<Quantiles> blockedSeconds,
      List<Left> left,
      double depthMax,
      double depthMean,
      int slots,
      double slotsUsedMean) {}

  public record Health(
      String from, String to, String step, Totals totals, List<Left> reasons, List<Step> steps) {}
}
