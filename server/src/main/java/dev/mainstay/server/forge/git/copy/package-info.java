/**
 * Copies of git repositories on this node's disk, the far side that they are copies of, and all
 * that is asked of git about them.
 */
package dev.mainstay.server.forge.git.copy;
