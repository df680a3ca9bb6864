/**
 * Reports of test frameworks, read as they exist in the world: streaming, forgiving, bounded. Here
 * is what their readers share; the readers are in the rooms below, one file a format. Nothing in a
 * report is executed, expanded or fetched, and nothing here touches the file system.
 */
package dev.mainstay.server.report;
