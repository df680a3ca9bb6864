/**
 * The world that policies are played in: changes, when they arrive, how long they build, and which
 * of them break or do not go together, all from a seed.
 */
package dev.mainstay.core.simulation.world;
