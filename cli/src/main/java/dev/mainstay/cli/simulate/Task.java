package dev.mainstay.cli.simulate;

/** Something to simulate and to report on. */
public interface Task {

  /** The number of single runs it takes. */
  int runs();

  Report run(ProgressLine progress);
}
