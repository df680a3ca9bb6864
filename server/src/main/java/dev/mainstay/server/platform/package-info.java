/**
 * What every other room stands on: database, HTTP, JSON, errors, logs. It knows nothing of ours.
 */
package dev.mainstay.server.platform;
