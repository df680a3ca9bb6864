/**
 * The ground every other room stands on: database, JSON, secrets, loops, logs. It knows nothing of
 * ours.
 */
package dev.mainstay.server.platform;
