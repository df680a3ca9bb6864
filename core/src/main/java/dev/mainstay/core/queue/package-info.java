/** The merge queue's rules as a pure program. */
package dev.mainstay.core.queue;
