/**
 * The past of a queue as a world to play in: what arrived, how long it was tested, what failed and
 * why, and what other settings and policies would have made of it.
 */
package dev.mainstay.core.simulation.past;
