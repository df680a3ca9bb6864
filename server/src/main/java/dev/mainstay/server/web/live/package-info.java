/** Pages that follow what happens: a stream that says when to look again. */
package dev.mainstay.server.web.live;
