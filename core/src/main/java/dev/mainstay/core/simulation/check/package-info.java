/**
 * Tries to break the queue: drives the engine through a seeded world that goes wrong in every way a
 * real one does, and holds what must always be true against every step of it.
 */
package dev.mainstay.core.simulation.check;
