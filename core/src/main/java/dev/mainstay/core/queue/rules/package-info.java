/** The merge queue's rules as a pure program: one file a rule, and {@link Engine} lists them. */
package dev.mainstay.core.queue.rules;
