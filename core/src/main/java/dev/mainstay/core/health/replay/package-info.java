/** Histories made up from a seed, whose truth is known, to measure monitors by. */
package dev.mainstay.core.health.replay;
