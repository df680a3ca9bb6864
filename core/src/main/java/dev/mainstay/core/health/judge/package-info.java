/**
 * The judgement of a test by its history: one watch a kind of monitor, the arithmetic of flakiness
 * below them, and the sentences that people read.
 */
package dev.mainstay.core.health.judge;
