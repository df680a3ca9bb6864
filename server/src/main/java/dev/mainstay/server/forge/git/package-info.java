/** Plain git as a forge: what is read, built and landed by way of a copy of the repository. */
package dev.mainstay.server.forge.git;
