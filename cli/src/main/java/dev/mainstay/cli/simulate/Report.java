package dev.mainstay.cli.simulate;

/** What a simulation has to say: the text in the format asked for, and the chart. */
public record Report(String text, String svg) {}
