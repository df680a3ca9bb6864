/** Lists of tests, in pages that hold while results arrive. */
package dev.mainstay.server.health.list;
