package dev.mainstay.server.forge;

/** A button beside our check that somebody pressed: each press has an id of its own. */
public record ButtonPress(String id, String button, String who) {}
