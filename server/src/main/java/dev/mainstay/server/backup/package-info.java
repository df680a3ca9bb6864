/**
 * Backups: the rows of every table as they were at one moment, in one file, and back into an empty
 * database. The form of the file is in docs/adr/0047.
 */
package dev.mainstay.server.backup;
