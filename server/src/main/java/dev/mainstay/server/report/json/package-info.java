/**
 * Reports in JSON: whole documents and documents of one object a line. {@code JsonReports} is the
 * table of what is known, with the keys that tell it.
 */
package dev.mainstay.server.report.json;
