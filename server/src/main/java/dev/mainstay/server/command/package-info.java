/**
 * Test commands: shell commands of users, run in clean checkouts and ended with all they started.
 */
package dev.mainstay.server.command;
