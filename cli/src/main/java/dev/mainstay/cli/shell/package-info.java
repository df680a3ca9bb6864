/**
 * The shell that a command is called from, and the ways to write to it: tables, a live screen,
 * refusals.
 */
package dev.mainstay.cli.shell;
