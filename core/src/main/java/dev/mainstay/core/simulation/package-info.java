/**
 * Policies compared: the same world of changes, played to each under a virtual clock, and the score
 * of each.
 */
package dev.mainstay.core.simulation;
