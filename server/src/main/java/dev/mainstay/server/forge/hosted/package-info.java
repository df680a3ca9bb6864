/** Forges that are git and a host with an API. */
package dev.mainstay.server.forge.hosted;
