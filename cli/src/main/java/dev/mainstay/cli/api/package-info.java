/**
 * A running server, as the command line asks it: the one HTTP client, and the options that say
 * which server.
 */
package dev.mainstay.cli.api;
