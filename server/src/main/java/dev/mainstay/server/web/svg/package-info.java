/**
 * What all pictures share: text that fits and does no harm, elements, and their form as a table.
 */
package dev.mainstay.server.web.svg;
