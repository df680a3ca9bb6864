/**
 * Test health: the wiring of this half of the house, and the end of results past their retention.
 */
package dev.mainstay.server.health;
