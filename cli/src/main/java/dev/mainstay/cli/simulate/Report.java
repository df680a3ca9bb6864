package dev.mainstay.cli.simulate;

/** The outcome of a simulation: the text in the format asked for, and the chart. */
public record Report(String text, String svg) {}
