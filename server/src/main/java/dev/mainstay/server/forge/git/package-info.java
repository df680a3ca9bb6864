/**
 * Plain git as a forge: a copy of each repository, the git command, and as little of it as will do.
 * More files than other rooms have, because each question to git is one of its own.
 */
package dev.mainstay.server.forge.git;
