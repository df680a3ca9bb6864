/** Tests of a repository on a running server: the commands tests, monitor and repo set. */
package dev.mainstay.cli.health;
