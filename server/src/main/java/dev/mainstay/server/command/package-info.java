/**
 * Test commands: shell commands of users, run in clean checkouts, kept away from the node, and
 * ended with all they started.
 */
package dev.mainstay.server.command;
