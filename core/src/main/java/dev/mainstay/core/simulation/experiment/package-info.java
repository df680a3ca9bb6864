/** The published experiment: which worlds are played to which policies. */
package dev.mainstay.core.simulation.experiment;
