package dev.mainstay.cli.simulate.report;

import java.util.List;

/**
 * Maps values to places so that equal factors are equally far apart, or, with a stretch below 1, so
 * that small values get more of the room.
 */
record LogScale(double least, double most, double stretch, double from, double to) {

  /** Covers these values, with the ends moved out to the next tick. */
  static LogScale covering(
      List<Double> values, List<Double> ticks, double stretch, double from, double to) {
    double low = values.stream().mapToDouble(v -> v).min().orElse(1);
    double high = values.stream().mapToDouble(v -> v).max().orElse(10);
    double least = ticks.stream().filter(t -> t <= low).reduce((a, b) -> b).orElse(low);
    double most = ticks.stream().filter(t -> t >= high && t > least).findFirst().orElse(high * 2);
    return new LogScale(least, most, stretch, from, to);
  }

  double at(double value) {
    double share = Math.log(Math.clamp(value, least, most) / least) / Math.log(most / least);
    return from + Math.pow(share, stretch) * (to - from);
  }

  List<Double> inside(List<Double> ticks) {
    return ticks.stream().filter(t -> t >= least && t <= most).toList();
  }
}
