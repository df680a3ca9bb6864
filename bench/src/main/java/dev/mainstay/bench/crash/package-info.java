/** Nodes that are killed at random while they work, and whether anything was lost by it. */
package dev.mainstay.bench.crash;
