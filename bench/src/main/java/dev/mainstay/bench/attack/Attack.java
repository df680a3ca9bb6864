package dev.mainstay.bench.attack;

/** Something that must do no harm, tried on nodes of its own. */
@FunctionalInterface
interface Attack {
  Outcome on(Scene scene) throws Exception;

  /** Whether everything held, with what was seen; or why it could not be tried here. */
  record Outcome(Verdict verdict, String seen) {
    static Outcome of(boolean held, String seen) {
      return new Outcome(held ? Verdict.HELD : Verdict.FELL, seen);
    }

    static Outcome leftOut(String why) {
      return new Outcome(Verdict.LEFT_OUT, why);
    }
  }

  /** How an attack went. */
  enum Verdict {
    HELD,
    FELL,
    LEFT_OUT
  }
}
