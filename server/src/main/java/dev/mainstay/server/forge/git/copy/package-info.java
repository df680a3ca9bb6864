/**
 * Copies of git repositories on this node's disk, the far side that they are copies of, and all
 * that is asked of git about them. More files than elsewhere, since much of what git does is done
 * here without a process, each thing in a small file of its own.
 */
package dev.mainstay.server.forge.git.copy;
