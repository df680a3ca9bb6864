/** Results as they are stored: uploads, runs, failures and their roll-ups, written and read. */
package dev.mainstay.server.health.result;
