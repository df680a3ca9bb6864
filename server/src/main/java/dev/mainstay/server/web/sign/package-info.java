/** Signing in and out. */
package dev.mainstay.server.web.sign;
