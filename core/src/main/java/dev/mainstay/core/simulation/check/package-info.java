/**
 * Tries to break the queue: plays a seeded world that goes wrong in every way a real one does, and
 * tells a failure by the smallest world that shows it.
 */
package dev.mainstay.core.simulation.check;
