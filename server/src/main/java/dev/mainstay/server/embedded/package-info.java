/** A PostgreSQL of our own, for those who bring none. */
package dev.mainstay.server.embedded;
