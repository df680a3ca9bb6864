/** Nodes: which of them are there, and what is free because one is gone. */
package dev.mainstay.server.node;
