package dev.mainstay.cli;

/** Why a command could not be done, in one sentence. */
final class Refusal extends RuntimeException {
  Refusal(String sentence) {
    super(sentence);
  }
}
