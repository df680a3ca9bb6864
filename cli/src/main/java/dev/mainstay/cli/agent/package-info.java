/** The command for agents. */
package dev.mainstay.cli.agent;
