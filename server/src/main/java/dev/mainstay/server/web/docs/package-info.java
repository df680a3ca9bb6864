/** The API's description as pages, with examples to copy. */
package dev.mainstay.server.web.docs;
