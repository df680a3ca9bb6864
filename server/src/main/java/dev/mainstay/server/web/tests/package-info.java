/** Pages of tests: lists and what is known of one, uploads, tickets, and links of uploaders. */
package dev.mainstay.server.web.tests;
