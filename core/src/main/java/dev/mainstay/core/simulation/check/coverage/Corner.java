package dev.mainstay.core.simulation.check.coverage;

/** A corner of the rules, such as a restart of one that is being merged. */
public record Corner(String kind, String name) {
  @Override
  public String toString() {
    return kind + " " + name;
  }
}
