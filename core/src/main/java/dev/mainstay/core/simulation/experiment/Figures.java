package dev.mainstay.core.simulation.experiment;

import dev.mainstay.core.simulation.Score;

/**
 * The figures of one policy in one world.
 *
 * @param ratioP50 turnaround over the oracle's in the same world
 * @param minutesPerChange of builds, those of aborted ones included
 * @param minutesOverOracle the same over the oracle's, which builds every change once
 */
public record Figures(
    double ratioP50,
    double ratioP95,
    double ratioP99,
    double buildsPerChange,
    double minutesPerChange,
    double minutesOverOracle,
    int falseEjections,
    double greenShare,
    long events) {

  static Figures of(Score score, Score oracle) {
    Score.Turnaround ratio = score.turnaround().over(oracle.turnaround());
    return new Figures(
        ratio.p50(),
        ratio.p95(),
        ratio.p99(),
        score.buildsPerChange(),
        score.ciMinutesPerChange(),
        score.ciMinutesPerChange() / oracle.ciMinutesPerChange(),
        score.falseEjections(),
        score.greenShare(),
        score.events());
  }
}
