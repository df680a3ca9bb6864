/**
 * The picture of a merge queue: who stands on whom, what is tested, what failed and waits. All of
 * it are pure functions, from {@link dev.mainstay.server.web.graph.QueuePicture} by way of a {@link
 * dev.mainstay.server.web.graph.Scene} to the text of an SVG.
 */
package dev.mainstay.server.web.graph;
