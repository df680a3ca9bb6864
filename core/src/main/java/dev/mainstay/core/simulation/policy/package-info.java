/** The policies that are compared: Mainstay's own engine, and what others do. */
package dev.mainstay.core.simulation.policy;
