/**
 * An agent's view, in the Model Context Protocol: tools that ask the API's own routes with the
 * rights of the key that calls, and say what came of it in a few lines. Nothing is remembered
 * between two messages; see docs/adr/0041.
 */
package dev.mainstay.server.mcp;
