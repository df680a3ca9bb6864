/** Reports that are lines of text. */
package dev.mainstay.server.report.text;
