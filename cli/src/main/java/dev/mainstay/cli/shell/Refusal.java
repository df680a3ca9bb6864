package dev.mainstay.cli.shell;

/** A command that could not be done, and why, in one sentence. */
public class Refusal extends RuntimeException {
  public Refusal(String sentence) {
    super(sentence);
  }
}
