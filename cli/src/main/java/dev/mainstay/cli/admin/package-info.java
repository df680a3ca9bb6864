/**
 * Commands that run a node or work on its database itself: serve, org, keys, repo and queue replay.
 */
package dev.mainstay.cli.admin;
