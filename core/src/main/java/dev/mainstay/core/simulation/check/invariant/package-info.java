/** All that must be true of a queue, held against every event and against the end. */
package dev.mainstay.core.simulation.check.invariant;
