/** The drawings of a simulation: tables, comma-separated values and SVG charts. */
package dev.mainstay.cli.simulate.report;
