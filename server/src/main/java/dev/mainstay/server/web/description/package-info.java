/** The API's own description, read once: for the pages that show it, and for forms made of it. */
package dev.mainstay.server.web.description;
