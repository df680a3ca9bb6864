package dev.mainstay.cli.shell;

/** A command that was wrongly called, and how, in one sentence: exit code 2. */
public final class WrongCall extends Refusal {
  public WrongCall(String sentence) {
    super(sentence);
  }
}
