/**
 * Reports in JSON: whole documents and documents of one object a line. {@code JsonReports} is the
 * table of what is known, with the keys that tell it. There is a file for each of the many formats;
 * the others are what they share: cursors, and texts that are made only where they are asked for.
 */
package dev.mainstay.server.report.json;
