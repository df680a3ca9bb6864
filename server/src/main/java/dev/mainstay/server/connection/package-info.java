/**
 * Connections: how a repository is connected to its forge, and the hooks by which that tells news.
 */
package dev.mainstay.server.connection;
