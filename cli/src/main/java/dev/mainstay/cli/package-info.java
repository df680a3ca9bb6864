/** The one command {@code mainstay}. */
package dev.mainstay.cli;
