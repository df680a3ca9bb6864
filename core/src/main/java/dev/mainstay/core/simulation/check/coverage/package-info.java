/** Which corners of the rules a check went to, and which never. */
package dev.mainstay.core.simulation.check.coverage;
