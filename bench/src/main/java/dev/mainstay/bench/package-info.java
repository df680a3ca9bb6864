/** Benchmarks: the cost of Mainstay, measured against the limits of its foundations. */
package dev.mainstay.bench;
