package dev.mainstay.core.simulation.check;

import dev.mainstay.core.simulation.check.invariant.Invariant;
import dev.mainstay.core.simulation.check.invariant.Rules;
import java.util.Set;

/** The engine with one rule gone wrong. */
interface Planted extends Rules {
  /** Those that may notice it; which one does so first is a matter of the seed. */
  Set<Invariant> catchers();
}
