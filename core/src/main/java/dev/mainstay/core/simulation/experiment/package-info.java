/**
 * The published experiment, and single cells of it and beyond: which worlds are played to which
 * policies, and what came of it.
 */
package dev.mainstay.core.simulation.experiment;
