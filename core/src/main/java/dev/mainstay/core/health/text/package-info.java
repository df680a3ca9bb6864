/** Texts of reports: cut to a length, and messages without what differs from run to run. */
package dev.mainstay.core.health.text;
