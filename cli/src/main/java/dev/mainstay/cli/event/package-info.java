/** Commands about events out. */
package dev.mainstay.cli.event;
