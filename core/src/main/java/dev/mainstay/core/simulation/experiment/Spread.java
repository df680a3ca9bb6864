package dev.mainstay.core.simulation.experiment;

import java.util.stream.DoubleStream;

/**
 * The mean of a figure over several worlds, and how far worlds are from it.
 *
 * @param deviation the standard deviation of a sample; 0 of one world, of which nothing is known
 */
public record Spread(double mean, double deviation) {

  public static Spread of(DoubleStream values) {
    double[] all = values.toArray();
    double mean = DoubleStream.of(all).average().orElse(0);
    double squares = DoubleStream.of(all).map(value -> (value - mean) * (value - mean)).sum();
    return new Spread(mean, all.length < 2 ? 0 : Math.sqrt(squares / (all.length - 1)));
  }
}
