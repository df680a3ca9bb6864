/** A crash run: nodes are killed at random while they work, and nothing may be lost by it. */
package dev.mainstay.bench.crash;
