/** The whole thing at work on one machine, to look at: {@code mainstay demo}. */
package dev.mainstay.cli.demo;
