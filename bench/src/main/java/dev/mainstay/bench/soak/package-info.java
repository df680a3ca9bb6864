/** The hour of a company in half of one, on one node, and what of it grows. */
package dev.mainstay.bench.soak;
