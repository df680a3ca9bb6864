/** The few words that all of Mainstay shares about code: commits and pull requests. */
package dev.mainstay.core.code;
