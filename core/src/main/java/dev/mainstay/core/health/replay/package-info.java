/**
 * Monitors tried on made-up repositories of which the truth is known, to see how well they judge.
 */
package dev.mainstay.core.health.replay;
