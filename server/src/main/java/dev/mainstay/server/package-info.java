/** The service as a whole. */
package dev.mainstay.server;
