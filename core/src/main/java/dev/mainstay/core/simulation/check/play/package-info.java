/**
 * The world around a checked queue: a scenario and its people, the forge, the test bench and the
 * post between them and the queue. It knows the truth and decides nothing about the queue.
 */
package dev.mainstay.core.simulation.check.play;
