/**
 * Small charts as the text of an SVG, each with the same content as a table. All of it are pure
 * functions; where there is nothing to draw they answer with a sentence.
 */
package dev.mainstay.server.web.plot;
