/** Organizations and their API keys. */
package dev.mainstay.server.access;
