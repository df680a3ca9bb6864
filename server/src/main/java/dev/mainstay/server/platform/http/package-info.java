/** HTTP: the door that every request comes through, and what a request, a route and a reply are. */
package dev.mainstay.server.platform.http;
