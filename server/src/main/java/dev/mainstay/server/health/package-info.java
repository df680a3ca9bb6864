/** Test health: the wiring of this half of the house, and the end of whatever is kept too long. */
package dev.mainstay.server.health;
