/**
 * Test health as data: what a test is and on which branch it ran, what is known of its past, and
 * which monitors a repository has set up. {@code core.health.judge} decides.
 */
package dev.mainstay.core.health;
