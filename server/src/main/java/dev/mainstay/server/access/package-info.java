/** Organizations, their API keys, and the people and sessions that look at pages. */
package dev.mainstay.server.access;
