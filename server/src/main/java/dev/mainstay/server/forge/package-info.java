/** Forges: the pull requests and branches of connected repositories. */
package dev.mainstay.server.forge;
