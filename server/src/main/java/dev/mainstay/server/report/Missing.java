package dev.mainstay.server.report;

/** A report that announces more failures than it shows. */
public record Missing(String file, long announced, long found) {}
